/**
 * A moving average of how long a backend takes to answer.
 *
 * @module
 */

/** Share of the newest observation: about the last ten count. */
const WEIGHT = 0.2;

/** Exponentially weighted average of connect and first-byte times (spec §5, LeastLatency). */
export class LatencyAverage {
  #averageMs: number | null = null;

  /** Null until something was observed. */
  get averageMs(): number | null {
    return this.#averageMs;
  }

  /** Takes in one duration. Negative and non-finite ones are ignored. */
  observe(durationMs: number): void {
    if (!Number.isFinite(durationMs) || durationMs < 0) return;
    this.#averageMs = this.#averageMs === null
      ? durationMs
      : this.#averageMs + WEIGHT * (durationMs - this.#averageMs);
  }

  /** Forgets everything. */
  reset(): void {
    this.#averageMs = null;
  }
}
