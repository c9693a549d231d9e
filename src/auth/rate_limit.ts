/**
 * Requests per minute of each API key, as token buckets (spec §3 row 5).
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";

/** The limit of one key. */
export interface KeyRateLimit {
  readonly keyId: string;
  /** Capacity of the bucket, refilled evenly over a minute. At least 1. */
  readonly limitPerMinute: number;
}

interface Bucket {
  limitPerMinute: number;
  tokens: number;
  updatedMs: number;
}

const MINUTE_MS = 60_000;
/** Refills are sums of binary fractions: a token that is short of whole by less than this is whole. */
const EPSILON = 1e-6;

/**
 * One bucket for each key that has a limit, and none for anything that a caller may choose, so that
 * memory is bounded by the configuration.
 */
export class RateLimiter {
  #buckets = new Map<string, Bucket>();

  constructor(limits: Iterable<KeyRateLimit> = []) {
    this.configure(limits);
  }

  /**
   * Replaces the limits, on a reload. A key that stays keeps what it has used: its tokens are cut to the
   * new capacity, or raised by what the capacity grew.
   *
   * @throws {RangeError} when a limit is below 1.
   */
  configure(limits: Iterable<KeyRateLimit>): void {
    const next = new Map<string, Bucket>();
    for (const { keyId, limitPerMinute } of limits) {
      if (!(limitPerMinute >= 1)) throw new RangeError(`Rate limit of key "${keyId}" is below 1`);
      const old = this.#buckets.get(keyId);
      const used = old === undefined ? 0 : old.limitPerMinute - old.tokens;
      next.set(keyId, {
        limitPerMinute,
        tokens: Math.max(0, limitPerMinute - used),
        updatedMs: old?.updatedMs ?? -Infinity,
      });
    }
    this.#buckets = next;
  }

  /**
   * Takes one token for a request of `keyId`; a null id (anonymous) and a key without a limit always
   * pass.
   *
   * @param options.nowMs A monotonic clock.
   * @throws {RouterError} `rate_limit_exceeded` with `Retry-After` in whole seconds, at least 1.
   */
  take(keyId: string | null, options: { readonly nowMs: number }): void {
    const bucket = keyId === null ? undefined : this.#buckets.get(keyId);
    if (bucket === undefined) return;
    const perMs = bucket.limitPerMinute / MINUTE_MS;
    const elapsedMs = Math.max(0, options.nowMs - bucket.updatedMs);
    bucket.tokens = Math.min(bucket.limitPerMinute, bucket.tokens + elapsedMs * perMs);
    bucket.updatedMs = Math.max(bucket.updatedMs, options.nowMs);
    if (bucket.tokens >= 1 - EPSILON) {
      bucket.tokens = Math.max(0, bucket.tokens - 1);
      return;
    }
    const waitMs = (1 - bucket.tokens) / perMs;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000 - EPSILON));
    throw new RouterError(
      "rate_limit_exceeded",
      `This API key is limited to ${bucket.limitPerMinute} requests per minute`,
      { headers: { "retry-after": String(seconds) } },
    );
  }
}
