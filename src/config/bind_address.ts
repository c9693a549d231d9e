/**
 * Addresses to listen on, as the configuration file writes them: `"0.0.0.0:8080"`, `"[::1]:8080"`,
 * `"localhost:8080"`. Port 0 lets the operating system choose.
 *
 * @module
 */

import { isIPv4, isIPv6 } from "node:net";

/** One address to listen on. */
export interface BindAddress {
  /** Host name or IP literal, IPv6 without its brackets. */
  readonly hostname: string;
  /** 0 to 65535; 0 = chosen by the operating system. */
  readonly port: number;
  /** The address as the file writes it, for logs and permission flags. */
  readonly text: string;
}

/** What {@link parseBindAddress} answers: the address, or what is wrong with the text. */
export type BindAddressResult =
  | { readonly ok: true; readonly address: BindAddress }
  | { readonly ok: false; readonly problem: string };

/** Reads one `host:port`. The problem never repeats the text. */
export function parseBindAddress(text: string): BindAddressResult {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]{1,253})):(\d{1,5})$/.exec(text);
  if (match === null) return refuse(describeFault(text));
  const [, v6, name, digits] = match;
  const port = Number(digits);
  if (port > 65_535) return refuse("a string with a port above 65535");
  if (v6 !== undefined) {
    if (!isIPv6(v6)) return refuse("a string with a broken IPv6 address");
    return { ok: true, address: { hostname: v6.toLowerCase(), port, text } };
  }
  const hostname = (name ?? "").toLowerCase();
  if (/^[\d.]+$/.test(hostname) && !isIPv4(hostname)) {
    return refuse("a string with a broken IPv4 address");
  }
  return { ok: true, address: { hostname, port, text } };
}

function refuse(problem: string): BindAddressResult {
  return { ok: false, problem: `found ${problem}` };
}

function describeFault(text: string): string {
  if (text === "") return "an empty string";
  if (text.includes("://")) return "a URL: leave out the scheme";
  if (/^:\d+$/.test(text)) return "a string without a host, write 0.0.0.0 for every IPv4 address";
  if (!/:\d+$/.test(text)) return "a string without a port";
  if (isIPv6(text) || /^[^[\]]*:[^[\]]*:\d+$/.test(text)) {
    return "an IPv6 address without brackets";
  }
  return "a different string";
}
