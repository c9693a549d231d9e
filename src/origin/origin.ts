/**
 * The value of an `Origin` header (RFC 6454 §7), parsed strictly.
 *
 * @module
 */

import { formatAuthority, parseAuthority } from "./authority.ts";

/** A parsed origin: who a browser says is asking. */
export interface Origin {
  /** Lower-case, without the colon. */
  readonly scheme: string;
  /** Lower-case name or address; IPv6 in brackets. */
  readonly host: string;
  /** Null when none was written or it is the default port of http or https. */
  readonly port: number | null;
  /** Host and port as one text: `localhost:5173`. */
  readonly authority: string;
}

const ORIGIN = /^([a-z][a-z0-9+.-]{0,63}):\/\/([^/?#@\s,\\]+)$/i;

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([["http", 80], ["https", 443]]);

/**
 * Parses exactly `scheme://host[:port]`. Everything else is null: the literal `null`, an empty value,
 * a path or a trailing slash, userinfo, white space, and the `a, b` that several header lines are
 * joined to.
 */
export function parseOrigin(value: string): Origin | null {
  // 400 is more than the longest scheme, host and port together.
  if (value.length > 400) return null;
  const match = ORIGIN.exec(value);
  if (match?.[1] === undefined || match[2] === undefined) return null;
  const scheme = match[1].toLowerCase();
  const parsed = parseAuthority(match[2]);
  if (parsed === null) return null;
  const port = parsed.port === DEFAULT_PORTS.get(scheme) ? null : parsed.port;
  const authority = formatAuthority({ host: parsed.host, port });
  return { scheme, host: parsed.host, port, authority };
}
