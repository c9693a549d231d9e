/**
 * Other forms of the `response` object that a finished response has.
 *
 * @module
 */

import type { BareUsage, ResponseObject, SentEvent } from "../events.ts";
import type { Usage } from "../usage.ts";

/** The three totals alone. */
export type UsageTotals = Pick<Usage, "total_tokens" | "input_tokens" | "output_tokens">;

/** Changes the `response` of a `response.done`, and leaves every other event as it is. */
export function rewordDone(
  event: SentEvent,
  change: (response: ResponseObject) => object,
): object {
  return event.type === "response.done" ? { ...event, response: change(event.response) } : event;
}

/** What backends that count roughly report. */
export function totalsOf(usage: Usage | BareUsage): UsageTotals {
  const { total_tokens, input_tokens, output_tokens } = usage;
  return { total_tokens, input_tokens, output_tokens };
}
