/**
 * Who may use the admin routes (spec §12).
 *
 * @module
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { parseBearer } from "../auth/mod.ts";
import type { Config } from "../config/mod.ts";
import { type ErrorCode, RouterError } from "../http/mod.ts";
import { checkOrigin, compileOrigins, type OriginPolicy } from "../origin/mod.ts";
import { isLoopbackAddress, isLoopbackHost } from "./loopback.ts";

/** The section `admin.auth`. */
export type AdminAuth = Config["admin"]["auth"];

/** What is looked at of a request. */
export interface AdminCaller {
  /** Address of the other end of the client's own connection, never one that a header claims. */
  readonly peer: string;
  readonly headers: Headers;
}

/** CORS opens the voice endpoints to other pages, not these. */
const SAME_AUTHORITY_ONLY: OriginPolicy = {
  corsEnabled: false,
  matcher: compileOrigins([]).matcher,
};

/** Any of them says that the peer speaks for somebody else. (Those after the first are ours.) */
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/**
 * What a request presents as its credential: nothing of the kind, something malformed, or a secret. A secret
 * is never empty, so that one which is empty in the configuration opens nothing.
 */
type Presented = { readonly kind: "none" | "malformed" } | {
  readonly kind: "secret";
  readonly secret: string | Uint8Array;
};

/**
 * Returns null when the request may go on, else the refusal: `origin_not_allowed` for pages of other
 * origins under every method, then `admin_not_allowed` with method `none`, `missing_api_key` or
 * `invalid_api_key` with the others.
 */
export function checkAdminAccess(caller: AdminCaller, auth: AdminAuth): RouterError | null {
  return checkPage(caller.headers) ?? checkCaller(caller, auth);
}

function checkPage(headers: Headers): RouterError | null {
  const origin = headers.get("origin");
  const originValues = origin === null ? [] : [origin];
  const foreign = checkOrigin({ originValues, host: headers.get("host") }, SAME_AUTHORITY_ONLY);
  if (foreign === null && !isOfAnotherSite(headers)) return null;
  return new RouterError("origin_not_allowed", "Pages of other origins may not use admin routes");
}

/**
 * What a browser says of a request that another page makes without an `Origin`. The page cannot read what it gets, but
 * could take every place among the listeners to events. A link that somebody follows is none of that.
 */
function isOfAnotherSite(headers: Headers): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return false;
  return headers.get("sec-fetch-dest") !== "document";
}

function checkCaller({ peer, headers }: AdminCaller, auth: AdminAuth): RouterError | null {
  switch (auth.method) {
    case "none":
      return isDirectFromHere(peer, headers) ? null : new RouterError(
        "admin_not_allowed",
        "Admin routes answer only direct requests from this machine to localhost; " +
          "for others the operator can set admin.auth.method",
      );
    case "bearer_token":
      return judge(presentedBearer(headers), {
        wanted: auth.token,
        challenge: 'Bearer realm="admin"',
      });
    case "basic":
      return judge(presentedBasic(headers), {
        wanted: auth.username === "" || auth.password === ""
          ? ""
          : `${auth.username}:${auth.password}`,
        challenge: 'Basic realm="admin", charset="UTF-8"',
      });
    case "api_key":
      return judge(presentedApiKey(headers), {
        wanted: auth.api_key,
        challenge: 'ApiKey realm="admin"',
      });
  }
}

/**
 * A proxy on this machine has a loopback address too, and a page whose name is made to resolve to this
 * machine comes from the browser on it: hence the headers and the `Host`.
 */
function isDirectFromHere(peer: string, headers: Headers): boolean {
  return isLoopbackAddress(peer) && isLoopbackHost(headers.get("host")) &&
    !PROXY_HEADERS.some((name) => headers.has(name));
}

function presentedBearer(headers: Headers): Presented {
  const bearer = parseBearer(headers.get("authorization"));
  return bearer.kind === "key" ? { kind: "secret", secret: bearer.key } : bearer;
}

/** RFC 7617 §2: base64 of `user:password`, which is compared as a whole, byte by byte. */
function presentedBasic(headers: Headers): Presented {
  const value = headers.get("authorization") ?? "";
  if (!/^basic(?: |$)/i.test(value)) return { kind: "none" };
  const base64 = /^basic +([a-z0-9+/]+={0,2})$/i.exec(value)?.[1];
  if (base64 === undefined) return { kind: "malformed" };
  try {
    return { kind: "secret", secret: Uint8Array.fromBase64(base64) };
  } catch {
    return { kind: "malformed" };
  }
}

function presentedApiKey(headers: Headers): Presented {
  const secret = headers.get("x-api-key") ?? "";
  return secret === "" ? { kind: "none" } : { kind: "secret", secret };
}

function judge(
  presented: Presented,
  { wanted, challenge }: { readonly wanted: string; readonly challenge: string },
): RouterError | null {
  if (presented.kind === "secret" && isSame(presented.secret, wanted)) return null;
  const code: ErrorCode = presented.kind === "none" ? "missing_api_key" : "invalid_api_key";
  return new RouterError(code, "Admin routes need the credential of admin.auth", {
    headers: { "www-authenticate": challenge },
  });
}

/** Digests have one length, so that comparing them tells nothing of the secret, its length included. */
function isSame(given: string | Uint8Array, wanted: string): boolean {
  return timingSafeEqual(sha256(given), sha256(wanted));
}

function sha256(secret: string | Uint8Array): Uint8Array {
  return createHash("sha256").update(secret).digest();
}
