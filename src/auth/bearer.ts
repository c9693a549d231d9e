/**
 * The `Authorization` header (RFC 9110 §11.6.2) as far as a bearer key is concerned.
 *
 * @module
 */

/** What a header value says: no bearer key at all, something that cannot be one, or a key. */
export type BearerCredential =
  | { readonly kind: "none" }
  | { readonly kind: "malformed" }
  | { readonly kind: "key"; readonly key: string };

/**
 * Reads `Bearer <key>`, the scheme in any case. Another scheme, an empty value and an empty key are
 * `none`. Several header lines, which runtimes join with a comma and a space, are `malformed`, since it is
 * unclear which of them a proxy in front has looked at.
 */
export function parseBearer(authorization: string | null): BearerCredential {
  const value = authorization?.trim() ?? "";
  const scheme = /^[^\s]*/.exec(value)?.[0] ?? "";
  const rest = value.slice(scheme.length).trim();
  if (scheme.toLowerCase() !== "bearer") {
    return { kind: /,\s*bearer(\s|$)/i.test(value) ? "malformed" : "none" };
  }
  if (rest === "") return { kind: "none" };
  return /^[\x21-\x7e]+$/.test(rest) ? { kind: "key", key: rest } : { kind: "malformed" };
}
