/**
 * Host names and authorities, parsed strictly and written one way, so that they can be compared as
 * values and never by prefix or substring.
 *
 * @module
 */

/** A host with an optional port, as in a `Host` header (RFC 9110 §7.2). */
export interface Authority {
  /** Lower-case name, dotted IPv4, or IPv6 in brackets in its canonical spelling. */
  readonly host: string;
  /** 1–65535, or null when none was written. */
  readonly port: number | null;
}

/** Longest name DNS can carry (RFC 1035 §2.3.4), plus a root dot. */
const MAX_HOST_LENGTH = 254;

const AUTHORITY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]+)(?::([1-9][0-9]{0,4}))?$/;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const NUMERIC_LABEL = /^(?:[0-9]+|0x[0-9a-f]*)$/;
const IPV4 = /^(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})$/;

/**
 * Parses `host` or `host:port`. Returns null for anything else: userinfo, paths, white space, empty
 * labels, port 0 or an empty port, an IPv6 address without brackets, a number that only looks like IPv4.
 */
export function parseAuthority(text: string): Authority | null {
  if (text.length > MAX_HOST_LENGTH + 6) return null;
  const match = AUTHORITY.exec(text.toLowerCase());
  const written = match?.[1];
  if (written === undefined) return null;
  const port = match?.[2] === undefined ? null : Number(match[2]);
  if (port !== null && port > 65_535) return null;
  const host = written.startsWith("[") ? canonicalIpv6(written) : canonicalName(written);
  return host === null ? null : { host, port };
}

/** The text of an authority, its port left out when it is null. */
export function formatAuthority(authority: Authority): string {
  return authority.port === null ? authority.host : `${authority.host}:${authority.port}`;
}

/**
 * Whether two authorities name the same place when the scheme is unknown: the default ports of http
 * and https count as no port, since TLS may end in front of the router (spec §7).
 */
export function sameAuthority(a: Authority, b: Authority): boolean {
  return a.host === b.host && withoutDefaultPort(a.port) === withoutDefaultPort(b.port);
}

/** Maps the default ports 80 and 443 to null. */
export function withoutDefaultPort(port: number | null): number | null {
  return port === 80 || port === 443 ? null : port;
}

function canonicalName(name: string): string | null {
  if (name.length > MAX_HOST_LENGTH) return null;
  // A root dot stays: `example.com.` is another origin than `example.com` to a browser.
  const labels = (name.endsWith(".") ? name.slice(0, -1) : name).split(".");
  if (!labels.every((label) => LABEL.test(label))) return null;
  // Like the URL standard: a name that ends in a number is an IPv4 address or nothing. Browsers send
  // the dotted form only, so that other spellings of 127.0.0.1 are not worth accepting.
  if (NUMERIC_LABEL.test(labels.at(-1) ?? "")) return isIpv4(name) ? name : null;
  return name;
}

function isIpv4(text: string): boolean {
  return IPV4.test(text) && text.split(".").every((part) => Number(part) <= 255);
}

function canonicalIpv6(bracketed: string): string | null {
  const url = URL.parse(`http://${bracketed}/`);
  return url === null ? null : url.hostname;
}
