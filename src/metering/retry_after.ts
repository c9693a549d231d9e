/**
 * `Retry-After` (RFC 9110 §10.2.3).
 *
 * @module
 */

/** What {@link retryAfterMs} takes besides the header. */
export interface RetryAfterOptions {
  /** The time now, in milliseconds since 1970. */
  readonly unixNowMs: number;
}

/** The wait that a header asks for, in milliseconds; undefined when it is absent or says nothing. */
export function retryAfterMs(
  value: string | null,
  options: RetryAfterOptions,
): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // Only the three date forms begin with a weekday; Date.parse would take much else for a date.
  const date = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(date - options.unixNowMs, 0);
}
