/**
 * Probes all backends: their health, and the models of those whose models are not configured (spec §4
 * and §5). Network and time are injected, and what a probe's result means is decided by
 * `BackendHealth`.
 *
 * @module
 */

import type { Backend } from "./backend.ts";
import { BackendProbe } from "./backend_probe.ts";
import type { ProbeOptions } from "./probe_options.ts";
import type { BackendRegistry, RegistryChange } from "./registry.ts";

/** Backends that are probed at the same time. */
export const MAX_CONCURRENT_PROBES = 8;
/** The platform's timers turn over at 24.8 days; looking once an hour costs nothing. */
const MAX_WAIT_MS = 3_600_000;

/** See the module. One timer serves all backends, and none is probed twice at a time. */
export class Prober {
  readonly #registry: BackendRegistry;
  readonly #options: ProbeOptions;
  readonly #probes = new Map<Backend, BackendProbe>();
  readonly #running = new Map<BackendProbe, Promise<void>>();
  #timer: Disposable | undefined;
  #state: "idle" | "started" | "closed" = "idle";

  constructor(registry: BackendRegistry, options: ProbeOptions) {
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
   * To be called right after the registry has taken in another configuration: probes what is new, and
   * lets go of what is gone. A probe of a backend that has moved to another URL begins anew.
   */
  refresh({ removed }: RegistryChange): void {
    for (const backend of removed) {
      this.#probes.get(backend)?.cancel();
      this.#probes.delete(backend);
    }
    for (const probe of this.#probes.values()) probe.reconfigured();
    this.#schedule();
  }

  /** Ends everything. Resolves when no request and no timer is left. */
  async close(): Promise<void> {
    this.#state = "closed";
    this.#timer?.[Symbol.dispose]();
    for (const probe of this.#running.keys()) probe.cancel();
    await Promise.all(this.#running.values());
  }

  /** Starts what is due, those first that have waited longest, and arms the timer for the next. */
  #schedule(): void {
    if (this.#state !== "started") return;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const nowMs = this.#options.clock.now();
    const due: BackendProbe[] = [];
    let nextMs = Infinity;
    for (const probe of this.#registry.backends.map((backend) => this.#probeOf(backend))) {
      probe.tellHealth();
      const dueMs = probe.dueMs(nowMs);
      if (dueMs <= nowMs) due.push(probe);
      else nextMs = Math.min(nextMs, dueMs);
    }
    // Those that find no room are looked at again as soon as a running one ends.
    due.sort((one, other) => one.beganMs - other.beganMs);
    const room = MAX_CONCURRENT_PROBES - this.#running.size;
    for (const probe of due.slice(0, Math.max(0, room))) this.#start(probe);
    if (nextMs === Infinity) return;
    const waitMs = Math.min(nextMs - nowMs, MAX_WAIT_MS);
    this.#timer = this.#options.clock.after(waitMs, () => this.#schedule());
  }

  #probeOf(backend: Backend): BackendProbe {
    const present = this.#probes.get(backend);
    if (present !== undefined) return present;
    const probe = new BackendProbe(backend, { registry: this.#registry, probing: this.#options });
    this.#probes.set(backend, probe);
    return probe;
  }

  #start(probe: BackendProbe): void {
    const ended = probe.run().then(() => {
      this.#running.delete(probe);
      this.#schedule();
    });
    this.#running.set(probe, ended);
  }
}
