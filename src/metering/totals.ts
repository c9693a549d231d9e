/**
 * Sums over usage records, and sums by name.
 *
 * @module
 */

import type { UsageRecord } from "./usage_record.ts";

/** Tokens, as records count them: the input is without the cached. */
export interface TokenTotals {
  readonly input: number;
  readonly cached_input: number;
  readonly output: number;
}

/** What a {@link Totals} sums up. */
export interface TotalsSnapshot {
  /** Records: realtime responses, and tries of HTTP requests. */
  readonly requests: number;
  /** Those with the outcome `upstream_error`. */
  readonly errors: number;
  readonly tokens: TokenTotals;
}

/** Sums of some records. */
export class Totals {
  #requests = 0;
  #errors = 0;
  #input = 0;
  #cachedInput = 0;
  #output = 0;

  add(record: UsageRecord): void {
    this.#requests++;
    if (record.outcome === "upstream_error") this.#errors++;
    this.#input += record.input_tokens;
    this.#cachedInput += record.cached_input_tokens;
    this.#output += record.output_tokens;
  }

  snapshot(): TotalsSnapshot {
    return {
      requests: this.#requests,
      errors: this.#errors,
      tokens: { input: this.#input, cached_input: this.#cachedInput, output: this.#output },
    };
  }
}

/** Names come from the configuration, which reloads may change without end; more share one name. */
export const MAX_NAMES = 10_000;
/** What the names beyond {@link MAX_NAMES} are summed up under. */
export const OTHER_NAMES = "(other)";

/** Sums by model, backend or key. */
export class TotalsByName {
  readonly #totals = new Map<string, Totals>();

  add(name: string, record: UsageRecord): void {
    this.#of(name).add(record);
  }

  /** By name, in the order of their first record. */
  snapshot(): Readonly<Record<string, TotalsSnapshot>> {
    return Object.fromEntries(
      [...this.#totals].map(([name, totals]) => [name, totals.snapshot()]),
    );
  }

  #of(name: string): Totals {
    const known = this.#totals.get(name);
    if (known !== undefined) return known;
    if (this.#totals.size >= MAX_NAMES && name !== OTHER_NAMES) return this.#of(OTHER_NAMES);
    const totals = new Totals();
    this.#totals.set(name, totals);
    return totals;
  }
}
