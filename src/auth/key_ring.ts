/**
 * The configured API keys (spec §10.1), held as SHA-256 digests only.
 *
 * @module
 */

import { type ErrorCode, RouterError } from "../http/mod.ts";
import { parseBearer } from "./bearer.ts";
import { digestFromHex, DigestList, sha256 } from "./digest_list.ts";
import { anonymous, type AnonymousReason, type Identity, type KeyIdentity } from "./identity.ts";

/** One configured key. Exactly one of `key` and `keySha256` is given. */
export interface KeyEntry {
  /** The secret itself; only its digest is kept. */
  readonly key?: string | undefined;
  /** Hex digest of the secret. */
  readonly keySha256?: string | undefined;
  /** Unique; appears in logs, metrics and usage records. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly userId?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly enabled: boolean;
  /** Unix time from which on the key is expired. @default {undefined} never */
  readonly expiresAtMs?: number | undefined;
  /** Empty allows every model. */
  readonly allowedModels: readonly string[];
  /** Empty allows every backend. */
  readonly allowedBackends: readonly string[];
}

/** `permissive` lets callers without a valid key in as anonymous; `blocking` refuses them. */
export type AuthMode = "permissive" | "blocking";

interface HeldKey {
  readonly enabled: boolean;
  readonly expiresAtMs: number;
  readonly identity: KeyIdentity;
}

/** An immutable set of keys. A reload of the configuration makes a new one. */
export class KeyRing {
  readonly #mode: AuthMode;
  readonly #digests: DigestList;
  /** In the order of the digests. */
  readonly #keys: readonly HeldKey[];

  /**
   * @throws {TypeError} when an entry has no secret, two of them or a malformed digest, or when two
   * entries share an id or a secret. The message names the entry's id, never its secret.
   */
  constructor(entries: readonly KeyEntry[], options: { readonly mode: AuthMode }) {
    this.#mode = options.mode;
    const digests = entries.map(digestOf);
    assertDistinct(entries, digests);
    this.#digests = new DigestList(digests);
    this.#keys = entries.map((entry) => ({
      enabled: entry.enabled,
      expiresAtMs: entry.expiresAtMs ?? Infinity,
      identity: identityOf(entry),
    }));
  }

  /** How callers without a valid key are treated. */
  get mode(): AuthMode {
    return this.#mode;
  }

  /**
   * Tells who sent an `Authorization` header (null when absent).
   *
   * @param options.nowMs Unix time, which `expiresAtMs` is compared to.
   * @throws {RouterError} in blocking mode: `missing_api_key`, `invalid_api_key`, `expired_api_key`.
   */
  authenticate(authorization: string | null, options: { readonly nowMs: number }): Identity {
    const credential = parseBearer(authorization);
    if (credential.kind === "none") {
      const sentSomething = authorization !== null && authorization.trim() !== "";
      return this.#refuse("missing_api_key", sentSomething ? "no_bearer_key" : "no_key");
    }
    if (credential.kind === "malformed") return this.#refuse("invalid_api_key", "unknown_key");
    const held = this.#keys[this.#digests.indexOf(sha256(credential.key))];
    if (held === undefined) return this.#refuse("invalid_api_key", "unknown_key");
    if (!held.enabled) return this.#refuse("invalid_api_key", "disabled_key");
    if (options.nowMs >= held.expiresAtMs) return this.#refuse("expired_api_key", "expired_key");
    return held.identity;
  }

  #refuse(code: KeyErrorCode, note: AnonymousReason): Identity {
    if (this.#mode === "permissive") return anonymous(note);
    throw new RouterError(code, MESSAGES[code], { headers: { "www-authenticate": "Bearer" } });
  }
}

type KeyErrorCode = Extract<ErrorCode, "missing_api_key" | "invalid_api_key" | "expired_api_key">;

const MESSAGES = {
  missing_api_key: "An API key is required: send it as Authorization: Bearer <key>",
  invalid_api_key: "The API key is not valid",
  expired_api_key: "The API key has expired",
} as const satisfies Record<KeyErrorCode, string>;

function digestOf(entry: KeyEntry): Uint8Array {
  const { key, keySha256, id } = entry;
  if ((key === undefined) === (keySha256 === undefined)) {
    throw new TypeError(`The API key "${id}" needs exactly one of key and key_sha256`);
  }
  if (key === "") throw new TypeError(`The API key "${id}" is empty`);
  if (key !== undefined) return sha256(key);
  const digest = digestFromHex(keySha256 ?? "");
  if (digest !== null) return digest;
  throw new TypeError(`The key_sha256 of the API key "${id}" is not 64 hexadecimal digits`);
}

function assertDistinct(entries: readonly KeyEntry[], digests: readonly Uint8Array[]): void {
  const ids = new Set<string>();
  const owners = new Map<string, string>();
  for (const [index, { id }] of entries.entries()) {
    if (ids.has(id)) throw new TypeError(`Two API keys have the id "${id}"`);
    ids.add(id);
    const hex = digests[index]?.toHex() ?? "";
    const twin = owners.get(hex);
    if (twin !== undefined) {
      throw new TypeError(`The API keys "${twin}" and "${id}" have the same secret`);
    }
    owners.set(hex, id);
  }
}

function identityOf(entry: KeyEntry): KeyIdentity {
  return {
    kind: "key",
    keyId: entry.id,
    name: entry.name ?? null,
    userId: entry.userId ?? null,
    organizationId: entry.organizationId ?? null,
    allowedModels: entry.allowedModels.length === 0 ? null : new Set(entry.allowedModels),
    allowedBackends: entry.allowedBackends.length === 0 ? null : new Set(entry.allowedBackends),
  };
}
