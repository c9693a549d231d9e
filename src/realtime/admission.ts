/**
 * Every check between an upgrade request and its 101, in the order of spec §3: the first that fails
 * answers. Nothing here waits and nothing contacts a backend.
 *
 * @module
 */

import { checkModelAccess, type Identity, type KeyRing, type RateLimiter } from "../auth/mod.ts";
import { RouterError } from "../http/mod.ts";
import { checkOrigin, type OriginPolicy } from "../origin/mod.ts";
import {
  type Backend,
  type BackendRegistry,
  type BreakerSlot,
  type Catalogue,
  chooseBackend,
  readModel,
  resolveModel,
  type Strategy,
} from "../routing/mod.ts";
import { checkHandshake } from "./handshake.ts";
import type { Permits } from "./permits.ts";

/** An upgrade request, as far as it decides whether it is let in. */
export interface UpgradeRequest {
  readonly method: string;
  /** As sent, without the question mark. */
  readonly rawQuery: string;
  readonly headers: Headers;
  /** See `HandshakeRequest`. */
  readonly httpVersion: "1.0" | "1.1" | undefined;
  /** For consistent hashing of callers without a key. */
  readonly clientAddress: string;
}

/** What requests are checked against. Getters, where a reload replaces the value. */
export interface Gate {
  readonly draining: boolean;
  readonly keyRing: KeyRing;
  readonly rateLimiter: RateLimiter;
  readonly originPolicy: OriginPolicy;
  readonly catalogue: Catalogue;
  readonly registry: BackendRegistry;
  readonly strategy: Strategy;
  readonly permits: Permits;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Unix time in milliseconds, for the expiry of keys. */
  readonly unixNow: () => number;
}

/** A request that was let in, and what was taken for it: both must be given back exactly once. */
export interface Admission {
  readonly identity: Identity;
  /** The name that the backend is sent, and the one that usage is recorded under. */
  readonly dispatchModel: string;
  readonly backend: Backend;
  readonly slot: BreakerSlot;
  readonly permit: Disposable;
}

/** How long a client should wait for a router that shuts down to be replaced, in seconds. */
const DRAIN_RETRY_AFTER_SECONDS = 5;

/**
 * Lets a request in.
 *
 * @param options `onCaller`: told who asks, as soon as that is known, whether or not the request is let in.
 * @throws {RouterError} With the code of the first check that fails (spec §3, rows 2 to 11).
 */
export function admit(
  request: UpgradeRequest,
  gate: Gate,
  options: { readonly onCaller?: (identity: Identity) => void } = {},
): Admission {
  const { method, headers, rawQuery } = request;
  if (method !== "GET") {
    throw new RouterError("method_not_allowed", "Only GET opens a realtime session", {
      headers: { "allow": "GET" },
    });
  }
  if (gate.draining) {
    throw new RouterError("draining", "The router is shutting down", {
      source: "internal",
      headers: { "retry-after": String(DRAIN_RETRY_AFTER_SECONDS) },
    });
  }
  const identity = gate.keyRing.authenticate(headers.get("authorization"), {
    nowMs: gate.unixNow(),
  });
  options.onCaller?.(identity);
  gate.rateLimiter.take(identity.keyId, { nowMs: gate.now() });
  checkHandshake(request);
  const foreign = checkOrigin(
    { originValues: headerLines(headers, "origin"), host: headers.get("host") },
    gate.originPolicy,
  );
  if (foreign !== null) throw foreign;
  const requested = readModel(rawQuery);
  checkModelAccess(identity, requested);
  const { dispatchModel, candidates } = resolveModel(requested, { ...gate, requireAudio: true });
  const { backend, slot } = chooseBackend(candidates, {
    strategy: gate.strategy,
    hashKey: identity.keyId ?? request.clientAddress,
    allowedBackends: identity.allowedBackends,
    preferredBackend: headers.get("x-backend"),
    nowMs: gate.now(),
  });
  try {
    return { identity, dispatchModel, backend, slot, permit: gate.permits.take() };
  } catch (error) {
    slot.release();
    throw error;
  }
}

/** `Headers` joins lines with a comma, which no Origin holds: two lines are no origin either way. */
function headerLines(headers: Headers, name: string): readonly string[] {
  const value = headers.get(name);
  return value === null ? [] : [value];
}
