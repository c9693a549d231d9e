/**
 * Which web pages may open a session (spec §7). A WebSocket handshake passes by the same-origin policy
 * and CORS, so that without this check any page a person visits could drive a router that their
 * machine can reach.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import { parseAuthority, sameAuthority } from "./authority.ts";
import { parseOrigin } from "./origin.ts";
import type { OriginMatcher } from "./pattern.ts";

/** What {@link checkOrigin} looks at of a request. */
export interface OriginRequest {
  /** The value of every `Origin` header line, in order; empty when there is none. */
  readonly originValues: readonly string[];
  /** The request's authority (`Host`), null when absent. */
  readonly host: string | null;
}

/** The part of the settings that {@link checkOrigin} needs. */
export interface OriginPolicy {
  /** `server.cors.enabled`. Off: only pages of the same authority are allowed. */
  readonly corsEnabled: boolean;
  /** `server.cors.allow_origins`, compiled. */
  readonly matcher: OriginMatcher;
}

/** Returns null when the request may go on, else the refusal (`origin_not_allowed`). */
export function checkOrigin(request: OriginRequest, policy: OriginPolicy): RouterError | null {
  const [value, ...more] = request.originValues;
  // Browsers always send Origin with a handshake and pages cannot remove it: no Origin, no browser.
  if (value === undefined) return null;
  const origin = more.length > 0 ? null : parseOrigin(value);
  if (origin === null) return refusal();
  const host = request.host === null ? null : parseAuthority(request.host);
  if (host !== null && sameAuthority(origin, host)) return null;
  if (policy.corsEnabled && policy.matcher.match(origin) !== "none") return null;
  return refusal();
}

function refusal(): RouterError {
  return new RouterError(
    "origin_not_allowed",
    "The Origin of this request is not allowed; the operator can list it in server.cors.allow_origins",
  );
}
