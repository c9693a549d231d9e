/**
 * The operator's credential (`admin.auth`). It lives in a variable of the page and goes when the page does.
 *
 * @module
 */

/** What the admin routes may ask for. */
export type AuthScheme = "bearer_token" | "basic" | "api_key";

/** A credential as it was typed. */
export interface Credential {
  readonly scheme: AuthScheme;
  /** Of `basic` only. @default {""} */
  readonly username?: string;
  /** Token, password or key. */
  readonly secret: string;
}

/** The scheme that a `WWW-Authenticate` asks for; a bearer token when it says nothing of the kind. */
export function schemeOf(challenge: string | null): AuthScheme {
  const scheme = /^\s*([a-z]+)/i.exec(challenge ?? "")?.[1]?.toLowerCase();
  if (scheme === "basic") return "basic";
  return scheme === "apikey" ? "api_key" : "bearer_token";
}

/**
 * The headers that present a credential.
 *
 * @throws {TypeError} When the secret has characters that no header can carry.
 */
export function credentialHeaders(credential: Credential | null): Readonly<Record<string, string>> {
  if (credential === null) return {};
  const { scheme, username = "", secret } = credential;
  switch (scheme) {
    case "basic":
      return { authorization: `Basic ${base64OfText(`${username}:${secret}`)}` };
    case "bearer_token":
      return { authorization: `Bearer ${visible(secret)}` };
    case "api_key":
      return { "x-api-key": visible(secret) };
  }
}

function visible(secret: string): string {
  if (/^[\x20-\x7e]*$/.test(secret)) return secret;
  throw new TypeError("a header carries visible ASCII characters only");
}

/** RFC 7617 §2.1: UTF-8, as the router's challenge says. */
function base64OfText(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
