/**
 * Probes backends: their health, and the models of those whose models are not configured (spec §4, §5).
 * It acts; what a probe means is decided by `BackendHealth`. Network and time are injected.
 *
 * @module
 */

import type { Backend } from "./backend.ts";
import { backendHeaders } from "./backend_headers.ts";
import { type HealthKind, probeResultOf } from "./health.ts";
import { readModelList } from "./model_list.ts";
import { discard, failureReason, firstAnswer, modelsUrl, probeUrls } from "./probe.ts";
import type { BackendRegistry, RegistryChange } from "./registry.ts";

/** The time of a {@link Prober}: monotonic, in milliseconds. */
export interface ProbeClock {
  now(): number;
  /** Calls `run` once after `ms`, unless the returned value is disposed of first. */
  after(ms: number, run: () => void): Disposable;
}

/** A backend's health as it was and as it is now. */
export interface HealthChange {
  readonly backend: string;
  readonly from: HealthKind;
  readonly to: HealthKind;
  /** Why the last probe failed, for the operator; null after a success. */
  readonly reason: string | null;
}

/** A list of models that was read, or why it cannot be read. */
export type Discovery =
  | { readonly backend: string; readonly models: number }
  | { readonly backend: string; readonly problem: string };

/** What a {@link Prober} needs. */
export interface ProberOptions {
  /** As the global one. It must honour `signal`. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: ProbeClock;
  readonly userAgent: string;
  /** The credential that a hub delivered for a backend, before the configured one. @default none */
  readonly credentialOf?: ((backend: string) => string | undefined) | undefined;
  /** Told of every change of a backend's health, once. */
  readonly onChange: (change: HealthChange) => void;
  /** Told when a backend's list has changed, and, once until it changes, why it cannot be read. @default none */
  readonly onDiscovery?: ((discovery: Discovery) => void) | undefined;
}

/** Probes that may run at the same time. */
export const MAX_CONCURRENT_PROBES = 8;
/** Timers of the platform turn over at 24.8 days; looking once an hour costs nothing. */
const MAX_WAIT_MS = 3_600_000;

/** What is known of a backend between two probes. */
interface Progress {
  /** The health that was told last. */
  kind: HealthKind;
  /** The URL that was there last time. */
  preferredUrl: string | undefined;
  /** When the last probe began and ended; before the first, never. */
  beganMs: number;
  endedMs: number;
  /** Whether a probe is wanted at once, whatever the health says. */
  urgent: boolean;
  discovers: boolean;
  problem: string | null;
}

/** A probe that runs. */
interface Running {
  /** The backend's URL when it began: another one is another server. */
  readonly url: string;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** See the module. One timer serves all backends, and none is probed twice at a time. */
export class Prober {
  readonly #registry: BackendRegistry;
  readonly #options: ProberOptions;
  readonly #progress = new Map<Backend, Progress>();
  readonly #running = new Map<Backend, Running>();
  #timer: Disposable | undefined;
  #state: "idle" | "started" | "closed" = "idle";

  constructor(registry: BackendRegistry, options: ProberOptions) {
    this.#registry = registry;
    this.#options = options;
  }

  /** Probes every backend, and each again when it is due. */
  start(): void {
    if (this.#state !== "idle") return;
    this.#state = "started";
    this.#schedule();
  }

  /**
   * To be called after the registry has taken in another configuration: probes what is new, and lets go
   * of what is gone. A probe of a backend that has moved to another URL begins anew.
   */
  refresh({ removed }: RegistryChange): void {
    for (const backend of removed) {
      this.#running.get(backend)?.stop.abort();
      this.#progress.delete(backend);
    }
    for (const backend of this.#registry.backends) {
      const running = this.#running.get(backend);
      if (running !== undefined && running.url !== backend.config.url) running.stop.abort();
      const progress = this.#progressOf(backend);
      const { discovers } = backend.served;
      progress.urgent ||= discovers && !progress.discovers;
      progress.discovers = discovers;
      this.#tell(backend);
    }
    this.#schedule();
  }

  /** Ends everything. Resolves when no request and no timer is left. */
  async close(): Promise<void> {
    this.#state = "closed";
    this.#timer?.[Symbol.dispose]();
    for (const { stop } of this.#running.values()) stop.abort();
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Starts what is due, those first that have waited longest, and arms the timer for the next. */
  #schedule(): void {
    if (this.#state !== "started") return;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const nowMs = this.#options.clock.now();
    const waiting = this.#registry.backends
      .filter((backend) => !this.#running.has(backend))
      .map((backend) => ({ backend, dueMs: this.#dueMs(backend, nowMs) }));
    const due = waiting.filter(({ dueMs }) => dueMs <= nowMs)
      .map(({ backend }) => backend)
      .toSorted((one, other) => compare(this.#beganMs(one), this.#beganMs(other)));
    // What finds no room is looked at again when a running probe ends.
    for (const backend of due.slice(0, MAX_CONCURRENT_PROBES - this.#running.size)) {
      this.#start(backend);
    }
    const nextMs = Math.min(
      ...waiting.map(({ dueMs }) => dueMs).filter((dueMs) => dueMs > nowMs),
    );
    if (nextMs === Infinity) return;
    const waitMs = Math.min(nextMs - nowMs, MAX_WAIT_MS);
    this.#timer = this.#options.clock.after(waitMs, () => this.#schedule());
  }

  #dueMs(backend: Backend, nowMs: number): number {
    const progress = this.#progressOf(backend);
    if (progress.urgent) return nowMs;
    const { enabled, intervalMs } = backend.config.health;
    if (enabled) return backend.health.nextProbeAtMs(nowMs);
    // Without health checks, only a list of models is asked for.
    return backend.served.discovers ? progress.endedMs + intervalMs : Infinity;
  }

  #beganMs(backend: Backend): number {
    return this.#progressOf(backend).beganMs;
  }

  #start(backend: Backend): void {
    const stop = new AbortController();
    const progress = this.#progressOf(backend);
    progress.beganMs = this.#options.clock.now();
    progress.urgent = false;
    const done = new Probing(backend, { ...this.#options, progress, stop }).run();
    this.#running.set(backend, { url: backend.config.url, stop, done });
  }
}
