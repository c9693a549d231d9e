/**
 * The routes of the page's files.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { onlyGet, type Route } from "../http/mod.ts";
import type { ConsoleAsset } from "./assets.ts";

/**
 * What the page may do: load its own scripts, styles and icon, and ask its own origin, over WebSockets too.
 * Nothing may embed it. What is left out falls back to `default-src`.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "microphone=(self), camera=(), geolocation=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  // Kept, but asked about each time: an update of the router is an update of the page.
  "cache-control": "no-cache",
};

/** Makes a route of each file. They hold nothing secret, so that there is no access rule besides `Host`. */
export function consoleRoutes(assets: readonly ConsoleAsset[]): readonly Route[] {
  return assets.map(({ path, contentType, text }) => {
    const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    const headers = { ...HEADERS, etag };
    return {
      path,
      handle: ({ request }) =>
        onlyGet(request, () => {
          if (isKnown(request.headers.get("if-none-match"), etag)) {
            return new Response(null, { status: 304, headers });
          }
          return new Response(text, { headers: { ...headers, "content-type": contentType } });
        }),
    };
  });
}

/** RFC 9110 §13.1.2. A proxy that compresses makes a tag weak, which is the same here. */
function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
