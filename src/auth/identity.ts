/**
 * Who a request is made by, as far as the router knows.
 *
 * @module
 */

/** The holder of a valid API key. */
export interface KeyIdentity {
  readonly kind: "key";
  /** The key's `id`: safe to log and to use as a metric label. */
  readonly keyId: string;
  readonly name: string | null;
  readonly userId: string | null;
  readonly organizationId: string | null;
  /** Null allows every model. */
  readonly allowedModels: ReadonlySet<string> | null;
  /** Null allows every backend. */
  readonly allowedBackends: ReadonlySet<string> | null;
}

/**
 * Why a caller counts as anonymous in permissive mode. A closed set: nothing of what was sent can reach a log
 * through it.
 */
export type AnonymousReason =
  | "no_key"
  | "no_bearer_key"
  | "unknown_key"
  | "disabled_key"
  | "expired_key";

/** A caller without a valid key, in permissive mode. Without limits of its own. */
export interface AnonymousIdentity {
  readonly kind: "anonymous";
  readonly keyId: null;
  readonly name: null;
  readonly userId: null;
  readonly organizationId: null;
  readonly allowedModels: null;
  readonly allowedBackends: null;
  /** For a debug line. */
  readonly note: AnonymousReason;
}

/** The result of authentication. */
export type Identity = KeyIdentity | AnonymousIdentity;

/** An anonymous identity with the reason why it is one. */
export function anonymous(note: AnonymousReason): AnonymousIdentity {
  return {
    kind: "anonymous",
    keyId: null,
    name: null,
    userId: null,
    organizationId: null,
    allowedModels: null,
    allowedBackends: null,
    note,
  };
}
