/**
 * The health of one backend as its probes show it (spec §5). Pure: the prober brings results and times
 * and asks when the next probe is due.
 *
 * @module
 */

/** The sections `health_checks` and `backends[].health_check`, taken together. */
export interface HealthOptions {
  /** Off: the state stays `unknown`, which is routable, and no probe is ever due. */
  readonly enabled: boolean;
  readonly intervalMs: number;
  /** Failures in a row after which a backend is down. */
  readonly unhealthyThreshold: number;
  /** Successes in a row after which it is ready again. */
  readonly healthyThreshold: number;
  readonly warmupCheckIntervalMs: number;
  /** How long a backend may answer 503 before it counts as down. */
  readonly maxWarmupDurationMs: number;
}

/** What a probe found: 2xx, 503, or anything else with a short reason for the operator. */
export type ProbeResult =
  | { readonly kind: "ready" }
  | { readonly kind: "warming_up" }
  | { readonly kind: "failed"; readonly reason: string };

/** The result that an HTTP status of a probe stands for. */
export function probeResultOf(status: number): ProbeResult {
  if (status >= 200 && status <= 299) return { kind: "ready" };
  if (status === 503) return { kind: "warming_up" };
  return { kind: "failed", reason: `HTTP status ${status}` };
}

/** The health of a backend. */
export type HealthState =
  | { readonly kind: "unknown"; readonly failures: number }
  | { readonly kind: "ready"; readonly failures: number }
  | { readonly kind: "warming_up"; readonly failures: number; readonly sinceMs: number }
  | { readonly kind: "down"; readonly successes: number };

/** The states' names, as `/admin/backends` and metrics show them. */
export type HealthKind = HealthState["kind"];

const UNKNOWN: HealthState = { kind: "unknown", failures: 0 };

/** See the module's description. All times are of one monotonic clock, in milliseconds. */
export class BackendHealth {
  #options: HealthOptions;
  #state: HealthState = UNKNOWN;
  #lastProbeMs: number | null = null;
  #lastFailure: string | null = null;

  constructor(options: HealthOptions) {
    this.#options = options;
  }

  /** Replaces the settings; checks turned off forget what they found. */
  configure(options: HealthOptions): void {
    this.#options = options;
    if (!options.enabled) this.reset();
  }

  /** Whether requests may be sent there. Time alone never changes this. */
  get routable(): boolean {
    const { kind } = this.#state;
    return kind === "ready" || kind === "unknown";
  }

  /** Why the last failed probe failed, null after a success. */
  get lastFailure(): string | null {
    return this.#lastFailure;
  }

  /** The state at `nowMs`: a warm-up that takes too long is down. */
  state(nowMs: number): HealthState {
    const state = this.#state;
    if (
      state.kind === "warming_up" &&
      nowMs - state.sinceMs >= this.#options.maxWarmupDurationMs
    ) {
      this.#state = { kind: "down", successes: 0 };
    }
    return this.#state;
  }

  /** Takes in the result of a probe that ended at `nowMs`. */
  record(result: ProbeResult, nowMs: number): void {
    if (!this.#options.enabled) return;
    this.#lastProbeMs = nowMs;
    const state = this.state(nowMs);
    switch (result.kind) {
      case "ready":
        this.#lastFailure = null;
        this.#state = this.#afterSuccess(state);
        break;
      case "warming_up":
        this.#lastFailure = "HTTP status 503";
        this.#state = afterUnavailable(state, nowMs);
        break;
      case "failed":
        this.#lastFailure = result.reason;
        this.#state = this.#afterFailure(state);
    }
  }

  /** When the next probe is due: at once before the first, never when checks are off. */
  nextProbeAtMs(nowMs: number): number {
    if (!this.#options.enabled) return Infinity;
    if (this.#lastProbeMs === null) return nowMs;
    const { intervalMs, warmupCheckIntervalMs } = this.#options;
    const warmingUp = this.state(nowMs).kind === "warming_up";
    return this.#lastProbeMs + (warmingUp ? warmupCheckIntervalMs : intervalMs);
  }

  /** Back to the beginning: unknown, and a probe is due at once. */
  reset(): void {
    this.#state = UNKNOWN;
    this.#lastProbeMs = null;
    this.#lastFailure = null;
  }

  #afterSuccess(state: HealthState): HealthState {
    if (state.kind !== "down") return { kind: "ready", failures: 0 };
    const successes = state.successes + 1;
    return successes >= this.#options.healthyThreshold
      ? { kind: "ready", failures: 0 }
      : { kind: "down", successes };
  }

  #afterFailure(state: HealthState): HealthState {
    if (state.kind === "down") return { kind: "down", successes: 0 };
    const failures = state.failures + 1;
    return failures >= this.#options.unhealthyThreshold
      ? { kind: "down", successes: 0 }
      : { ...state, failures };
  }
}

/** A 503 is not a failure, so that it ends a row of them; but it does not raise what is down. */
function afterUnavailable(state: HealthState, nowMs: number): HealthState {
  if (state.kind === "down") return { kind: "down", successes: 0 };
  const sinceMs = state.kind === "warming_up" ? state.sinceMs : nowMs;
  return { kind: "warming_up", failures: 0, sinceMs };
}
