/**
 * Who asks, and whether they may go on (spec §3 rows 4 and 5).
 *
 * @module
 */

import type { Identity, KeyRing, RateLimiter } from "../auth/mod.ts";
import type { Log } from "../observability/mod.ts";

/** What callers are checked against. Getters, where a reload replaces the value. */
export interface CallerGate {
  readonly keyRing: KeyRing;
  readonly rateLimiter: RateLimiter;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Unix time in milliseconds, for the expiry of keys. */
  readonly unixNow: () => number;
}

/** A request, as far as it tells who asks. */
export interface CallerRequest {
  readonly request: Request;
  readonly requestId: string;
}

/**
 * Tells who asks, and counts the request.
 *
 * @throws {RouterError} `missing_api_key`, `invalid_api_key`, `expired_api_key`, `rate_limit_exceeded`.
 */
export function identifyCaller(
  { request, requestId }: CallerRequest,
  { gate, log }: { readonly gate: CallerGate; readonly log: Log },
): Identity {
  const identity = gate.keyRing.authenticate(request.headers.get("authorization"), {
    nowMs: gate.unixNow(),
  });
  if (identity.kind === "anonymous") {
    log.debug("caller is anonymous", { request_id: requestId, reason: identity.note });
  }
  gate.rateLimiter.take(identity.keyId, { nowMs: gate.now() });
  return identity;
}
