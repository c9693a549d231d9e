/**
 * What counts as this machine itself.
 *
 * @module
 */

import { parseAuthority } from "../origin/mod.ts";

const OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
/** 127.0.0.0/8, also as sockets that speak both families show it, and as URLs write that. */
const LOOPBACK_V4 = new RegExp(`^(?:::ffff:)?127(?:\\.${OCTET}){3}$`, "i");
const LOOPBACK_MAPPED_HEX = /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/i;

/** Whether an IP address, written without brackets, is a loopback one. Names never are. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || LOOPBACK_V4.test(address) || LOOPBACK_MAPPED_HEX.test(address);
}

/**
 * Whether a `Host` names this machine: `localhost` or a loopback address, with any port. Another name that
 * resolves to it does not: that is how DNS rebinding begins (spec §7).
 */
export function isLoopbackHost(host: string | null): boolean {
  const authority = host === null ? null : parseAuthority(host);
  if (authority === null) return false;
  return authority.host === "localhost" ||
    isLoopbackAddress(authority.host.replace(/^\[(.*)\]$/, "$1"));
}
