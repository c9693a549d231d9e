/**
 * Token figures out of what backends report, which is not always what it should be (spec §8).
 *
 * @module
 */

import { field } from "./event_scan.ts";
import type { UsageRecord } from "./usage_record.ts";

/** The figures of a {@link UsageRecord}, and where they come from. */
export type TokenFigures = Pick<
  UsageRecord,
  "input_tokens" | "cached_input_tokens" | "output_tokens" | "token_source"
>;

/** What a backend reported; the cached tokens are part of the input. */
export interface ReportedTokens {
  readonly input: unknown;
  readonly cached: unknown;
  readonly output: unknown;
}

/**
 * A number of tokens as reported. What is not a whole number from 0 to `Number.MAX_SAFE_INTEGER` counts
 * as 0: missing, null, text, negative, fractional, infinite.
 */
export function tokenCount(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** Takes the cached tokens out of the input, which then is 0 at least. */
export function tokenFigures(reported: ReportedTokens): TokenFigures {
  const input = tokenCount(reported.input);
  const cached = tokenCount(reported.cached);
  const output = tokenCount(reported.output);
  return {
    input_tokens: Math.max(0, input - cached),
    cached_input_tokens: cached,
    output_tokens: output,
    token_source: input === 0 && cached === 0 && output === 0 ? "none" : "engine_final",
  };
}

/** The figures of a realtime response's `usage`, which may be anything. */
export function realtimeTokenFigures(usage: unknown): TokenFigures {
  return tokenFigures({
    input: field(usage, "input_tokens"),
    cached: field(field(usage, "input_token_details"), "cached_tokens"),
    output: field(usage, "output_tokens"),
  });
}
