/**
 * Successes and failures of the last minute, in a fixed amount of memory.
 *
 * @module
 */

const BUCKET_MS = 1_000;
const BUCKETS = 60;

/** Length of the window (spec §2, `circuit_breaker.failure_rate_threshold`). */
export const WINDOW_MS = BUCKET_MS * BUCKETS;

/** Counts outcomes in one-second buckets; what is older than the window is forgotten when next used. */
export class RollingWindow {
  readonly #successes = new Uint32Array(BUCKETS);
  readonly #failures = new Uint32Array(BUCKETS);
  #totalSuccesses = 0;
  #totalFailures = 0;
  /** Number of the newest bucket in use, counted from time 0. */
  #newest = -Infinity;

  /** Counts one outcome at `nowMs`, a monotonic clock. */
  record(outcome: "success" | "failure", nowMs: number): void {
    const slot = this.#advance(nowMs);
    if (outcome === "success") {
      this.#successes[slot] = (this.#successes[slot] ?? 0) + 1;
      this.#totalSuccesses++;
    } else {
      this.#failures[slot] = (this.#failures[slot] ?? 0) + 1;
      this.#totalFailures++;
    }
  }

  /** What was counted within the window that ends at `nowMs`. */
  totals(nowMs: number): { readonly requests: number; readonly failures: number } {
    this.#advance(nowMs);
    return {
      requests: this.#totalSuccesses + this.#totalFailures,
      failures: this.#totalFailures,
    };
  }

  /** Forgets everything. */
  clear(): void {
    this.#successes.fill(0);
    this.#failures.fill(0);
    this.#totalSuccesses = 0;
    this.#totalFailures = 0;
  }

  /** Empties the buckets that have left the window and returns the current one. */
  #advance(nowMs: number): number {
    const current = Math.max(this.#newest, Math.floor(nowMs / BUCKET_MS));
    if (current - this.#newest >= BUCKETS) {
      this.clear();
    } else {
      for (let bucket = this.#newest + 1; bucket <= current; bucket++) {
        const slot = bucket % BUCKETS;
        this.#totalSuccesses -= this.#successes[slot] ?? 0;
        this.#totalFailures -= this.#failures[slot] ?? 0;
        this.#successes[slot] = 0;
        this.#failures[slot] = 0;
      }
    }
    this.#newest = current;
    return current % BUCKETS;
  }
}
