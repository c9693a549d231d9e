/**
 * How long to wait before the hub is asked again (spec §9: exponential, with jitter, 1 s to 60 s).
 *
 * @module
 */

/** The shortest wait, in milliseconds. */
export const MIN_BACKOFF_MS = 1_000;
/** The longest wait, in milliseconds. */
export const MAX_BACKOFF_MS = 60_000;

/** What {@link backoffMs} takes besides the number of failures. */
export interface BackoffOptions {
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** What the other side asked for, in milliseconds; bounded like every wait. @default none */
  readonly retryAfterMs?: number;
}

/**
 * The wait after `failures` failures in a row (at least 1), in milliseconds: 1–2 s, 2–4 s, 4–8 s … 30–60 s.
 * Each is random within its range, so that routers that lost the hub together do not come back together.
 */
export function backoffMs(failures: number, options: BackoffOptions): number {
  const longest = Math.min(MIN_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS);
  const waitMs = longest / 2 * (1 + options.random());
  return Math.min(Math.max(waitMs, options.retryAfterMs ?? 0), MAX_BACKOFF_MS);
}
