/**
 * Percentiles of the latest latencies.
 *
 * @module
 */

import { Ring } from "./ring.ts";

/** How many latencies the percentiles are of. */
export const MAX_LATENCIES = 1000;

/** In whole milliseconds; all 0 while there is no latency. */
export interface LatencyPercentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
}

/** See the module. */
export class LatencyWindow {
  readonly #ring = new Ring<number>(MAX_LATENCIES);

  /** Adds a latency. One of 0 is left out: so a record says that it is not known (spec §8). */
  add(latencyMs: number): void {
    if (latencyMs > 0) this.#ring.add(latencyMs);
  }

  /** By nearest rank: p90 is the smallest latency that at least 90 % of them do not exceed. */
  percentiles(): LatencyPercentiles {
    const sorted = this.#ring.values().sort((a, b) => a - b);
    const at = (percent: number) => sorted[Math.ceil(sorted.length * percent / 100) - 1] ?? 0;
    return { p50: at(50), p90: at(90), p95: at(95), p99: at(99) };
  }
}
