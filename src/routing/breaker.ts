/**
 * The circuit breaker of one backend, shared by realtime and HTTP (spec §5). It has no timer: every call
 * brings the time, and the state advances when it is looked at.
 *
 * ```text
 *            failures in a row, or the failure rate
 *   closed ──────────────────────────────────────────▶ open
 *     ▲                                                 │ timeoutMs
 *     │ enough successes                                ▼
 *     └───────────────────────────────────────────── half-open
 *                                                       │ one failure: open again
 * ```
 *
 * `closed` lets requests through; `open` refuses them.
 *
 * @module
 */

import { RollingWindow } from "./rolling_window.ts";

/** The section `circuit_breaker`, overrides for the backend applied. */
export interface BreakerOptions {
  /** Off: everything is admitted and nothing is counted. */
  readonly enabled: boolean;
  /** Failures in a row that open the circuit. */
  readonly failureThreshold: number;
  /** Share of failures (0–1) in the last 60 s that opens it … */
  readonly failureRateThreshold: number;
  /** … once this many requests ended in that time. */
  readonly minimumRequests: number;
  /** From open to half-open. */
  readonly timeoutMs: number;
  /** Requests that half-open admits at a time. */
  readonly halfOpenMaxRequests: number;
  /** Successes in half-open that close the circuit. */
  readonly halfOpenSuccessThreshold: number;
}

/** What the breaker is doing. */
export type BreakerState =
  | { readonly kind: "closed"; readonly consecutiveFailures: number }
  | { readonly kind: "open"; readonly untilMs: number }
  | { readonly kind: "half_open"; readonly inFlight: number; readonly successes: number };

/**
 * Leave for one request. It is settled once, by whichever method is called first; disposing of it returns
 * it unjudged. An outcome that comes after the circuit has changed says nothing about the new state and
 * is not counted.
 */
export interface BreakerSlot extends Disposable {
  /** The backend served the request. */
  success(nowMs: number): void;
  /** The backend failed it. */
  failure(nowMs: number): void;
  /** The request ended before the backend could show either, for instance because the caller left. */
  release(): void;
}

/** See the module's description. All times are of one monotonic clock, in milliseconds. */
export class CircuitBreaker {
  #options: BreakerOptions;
  #state: BreakerState = CLOSED;
  /** Changes with every transition, so that slots know whether they still count. */
  #generation = 0;
  readonly #window = new RollingWindow();

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** Replaces the settings; the state stays, except that a breaker turned off closes. */
  configure(options: BreakerOptions): void {
    this.#options = options;
    if (!options.enabled) this.reset();
  }

  /** The state at `nowMs`. */
  state(nowMs: number): BreakerState {
    const state = this.#state;
    if (state.kind === "open" && nowMs >= state.untilMs) {
      return this.#enter({ kind: "half_open", inFlight: 0, successes: 0 });
    }
    return state;
  }

  /** Whether {@link acquire} would give a slot. */
  admits(nowMs: number): boolean {
    const state = this.state(nowMs);
    return state.kind === "closed" ||
      (state.kind === "half_open" && state.inFlight < this.#options.halfOpenMaxRequests);
  }

  /** Takes a slot for one request, or null when the circuit admits none. */
  acquire(nowMs: number): BreakerSlot | null {
    if (!this.#options.enabled) return new Slot(null);
    if (!this.admits(nowMs)) return null;
    const state = this.#state;
    if (state.kind === "half_open") this.#state = { ...state, inFlight: state.inFlight + 1 };
    const generation = this.#generation;
    return new Slot((outcome, atMs) => {
      if (generation === this.#generation) this.#settle(outcome, atMs);
    });
  }

  /** How long until the circuit may admit a request: 0 unless it is open. */
  retryAfterMs(nowMs: number): number {
    const state = this.state(nowMs);
    return state.kind === "open" ? state.untilMs - nowMs : 0;
  }

  /** Closes the circuit and forgets all outcomes. Slots that are out no longer count. */
  reset(): void {
    this.#enter(CLOSED);
    this.#window.clear();
  }

  #settle(outcome: Outcome, nowMs: number): void {
    const state = this.#state;
    if (state.kind === "half_open") this.#settleHalfOpen(state, { outcome, nowMs });
    else if (state.kind === "closed" && outcome !== "release") {
      this.#settleClosed(state, { outcome, nowMs });
    }
  }

  #settleClosed(state: Closed, event: { readonly outcome: Judged; readonly nowMs: number }): void {
    const { outcome, nowMs } = event;
    this.#window.record(outcome, nowMs);
    const consecutiveFailures = outcome === "success" ? 0 : state.consecutiveFailures + 1;
    // A success, too, may be the request that makes the rate one of enough requests.
    if (consecutiveFailures >= this.#options.failureThreshold || this.#rateExceeded(nowMs)) {
      this.#open(nowMs);
    } else if (consecutiveFailures !== state.consecutiveFailures) {
      this.#state = { kind: "closed", consecutiveFailures };
    }
  }

  #settleHalfOpen(state: HalfOpen, event: { readonly outcome: Outcome; readonly nowMs: number }) {
    if (event.outcome === "failure") {
      this.#open(event.nowMs);
      return;
    }
    const successes = state.successes + (event.outcome === "success" ? 1 : 0);
    if (successes >= this.#options.halfOpenSuccessThreshold) this.reset();
    else this.#state = { kind: "half_open", inFlight: state.inFlight - 1, successes };
  }

  #rateExceeded(nowMs: number): boolean {
    const { requests, failures } = this.#window.totals(nowMs);
    return requests >= this.#options.minimumRequests &&
      failures / requests >= this.#options.failureRateThreshold;
  }

  #open(nowMs: number): void {
    this.#enter({ kind: "open", untilMs: nowMs + this.#options.timeoutMs });
    this.#window.clear();
  }

  #enter<State extends BreakerState>(state: State): State {
    this.#generation++;
    this.#state = state;
    return state;
  }
}

type Closed = Extract<BreakerState, { kind: "closed" }>;
type HalfOpen = Extract<BreakerState, { kind: "half_open" }>;
type Judged = "success" | "failure";
type Outcome = Judged | "release";

const CLOSED: Closed = { kind: "closed", consecutiveFailures: 0 };

class Slot implements BreakerSlot {
  #settle: ((outcome: Outcome, nowMs: number) => void) | null;

  constructor(settle: ((outcome: Outcome, nowMs: number) => void) | null) {
    this.#settle = settle;
  }

  success(nowMs: number): void {
    this.#once("success", nowMs);
  }

  failure(nowMs: number): void {
    this.#once("failure", nowMs);
  }

  release(): void {
    this.#once("release", 0);
  }

  [Symbol.dispose](): void {
    this.release();
  }

  #once(outcome: Outcome, nowMs: number): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(outcome, nowMs);
  }
}
