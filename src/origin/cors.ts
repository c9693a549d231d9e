/**
 * CORS response headers (Fetch standard, "CORS protocol") from the same matcher that guards the
 * handshake. CORS never refuses: a page that is not listed gets no headers, and its browser keeps the
 * answer from it.
 *
 * @module
 */

import { parseOrigin } from "./origin.ts";
import type { OriginMatcher } from "./pattern.ts";

/** The section `server.cors`, compiled. */
export interface CorsOptions {
  readonly enabled: boolean;
  /** `allow_origins`. */
  readonly matcher: OriginMatcher;
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  /** Only for origins that a pattern names: `*` with credentials would hand every page the person's session. */
  readonly allowCredentials: boolean;
  /** How long a browser may remember a preflight. Sent in whole seconds. */
  readonly maxAgeMs: number;
}

/** What {@link corsHeaders} looks at of a request. */
export interface CorsRequest {
  readonly method: string;
  /** The value of every `Origin` header line. */
  readonly originValues: readonly string[];
  /** `Access-Control-Request-Method`, null when absent. */
  readonly requestMethod: string | null;
}

/** Headers to add, and whether the request is a preflight that they answer completely. */
export interface CorsAnswer {
  readonly preflight: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Computes the CORS headers for one request. */
export function corsHeaders(request: CorsRequest, options: CorsOptions): CorsAnswer {
  const [value, ...more] = request.originValues;
  const preflight = options.enabled && request.method === "OPTIONS" && value !== undefined &&
    request.requestMethod !== null;
  if (!options.enabled) return { preflight, headers: {} };
  // Also without an Origin: a shared cache must not hand this answer to a page.
  const headers: Record<string, string> = { "vary": "Origin" };
  const origin = value === undefined || more.length > 0 ? null : parseOrigin(value);
  const match = origin === null ? "none" : options.matcher.match(origin);
  if (value === undefined || match === "none") return { preflight, headers };

  // The value is echoed as sent: it parsed, and browsers compare it byte for byte.
  headers["access-control-allow-origin"] = match === "any" ? "*" : value;
  if (match === "named" && options.allowCredentials) {
    headers["access-control-allow-credentials"] = "true";
  }
  if (preflight) {
    setList(headers, { name: "access-control-allow-methods", values: options.allowMethods });
    setList(headers, { name: "access-control-allow-headers", values: options.allowHeaders });
    headers["access-control-max-age"] = String(Math.floor(options.maxAgeMs / 1000));
  } else {
    setList(headers, { name: "access-control-expose-headers", values: options.exposeHeaders });
  }
  return { preflight, headers };
}

function setList(
  headers: Record<string, string>,
  list: { readonly name: string; readonly values: readonly string[] },
): void {
  if (list.values.length > 0) headers[list.name] = list.values.join(", ");
}
