/**
 * The figures of `GET /admin/stats` that come from usage records (spec §9, §12), since the start of the
 * process and in bounded memory.
 *
 * @module
 */

import { type LatencyPercentiles, LatencyWindow } from "./latency_window.ts";
import { type TokenTotals, Totals, TotalsByName, type TotalsSnapshot } from "./totals.ts";
import type { UsageOutcome, UsageRecord, UsageSink } from "./usage_record.ts";

/** How callers without a key are named, as in the label of `llm_tokens_total`. No key may have this id. */
export const ANONYMOUS_NAME = "anonymous";

/** Field names are those of the answer. Every sum by something adds up to the totals. */
export interface StatisticsSnapshot {
  /** Whole seconds. */
  readonly uptime_seconds: number;
  /**
   * Records: each realtime response and each try of an HTTP request. What never reached a backend is
   * counted in `http_requests_total` only.
   */
  readonly total_requests: number;
  /** Records with the outcome `upstream_error`. */
  readonly total_errors: number;
  readonly tokens: TokenTotals;
  readonly by_model: Readonly<Record<string, TotalsSnapshot>>;
  readonly by_backend: Readonly<Record<string, TotalsSnapshot>>;
  /** By the id of the key, or `anonymous`. */
  readonly by_key: Readonly<Record<string, TotalsSnapshot>>;
  /** How many records had each outcome. */
  readonly by_outcome: Readonly<Record<UsageOutcome, number>>;
  /** Of the last 1000 records whose latency is known, of whatever outcome. */
  readonly latency_ms: LatencyPercentiles;
}

/** See the module. */
export class Statistics implements UsageSink {
  readonly #startedMs: number;
  readonly #totals = new Totals();
  readonly #byModel = new TotalsByName();
  readonly #byBackend = new TotalsByName();
  readonly #byKey = new TotalsByName();
  readonly #byOutcome: Record<UsageOutcome, number> = {
    completed: 0,
    length: 0,
    client_cancelled: 0,
    upstream_error: 0,
  };
  readonly #latencies = new LatencyWindow();

  /** @param startedMs When the process started, by a monotonic clock. */
  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  record(record: UsageRecord): void {
    this.#totals.add(record);
    this.#byModel.add(record.model, record);
    this.#byBackend.add(record.backend, record);
    this.#byKey.add(record.api_key_id ?? ANONYMOUS_NAME, record);
    this.#byOutcome[record.outcome]++;
    this.#latencies.add(record.latency_ms);
  }

  /**
   * The figures by now, in an object of their own.
   *
   * @param nowMs The time by the clock of `startedMs`.
   */
  snapshot(nowMs: number): StatisticsSnapshot {
    const { requests, errors, tokens } = this.#totals.snapshot();
    return {
      uptime_seconds: Math.floor((nowMs - this.#startedMs) / 1000),
      total_requests: requests,
      total_errors: errors,
      tokens,
      by_model: this.#byModel.snapshot(),
      by_backend: this.#byBackend.snapshot(),
      by_key: this.#byKey.snapshot(),
      by_outcome: { ...this.#byOutcome },
      latency_ms: this.#latencies.percentiles(),
    };
  }
}
