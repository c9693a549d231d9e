/**
 * Who a request comes from.
 *
 * @module
 */

import type { RouteHandler } from "../http/mod.ts";
import type { Settings } from "./settings.ts";

/** What an address in `X-Forwarded-For` may look like: IPv4 or IPv6 … */
const ADDRESS = /^[0-9A-Fa-f:.]{2,64}$/;
/** … with a port, which some proxies add, or in the brackets that IPv6 needs for one. */
const WITH_PORT = /^([0-9.]+):\d{1,5}$|^\[([^\]]+)\](?::\d{1,5})?$/;

/**
 * The client's address: the connection's, or behind a trusted proxy the rightmost `X-Forwarded-For`
 * entry, which that proxy wrote; without a port, which is another one for every connection. What is no address
 * there is not believed.
 */
export function clientAddress(
  peer: string,
  options: { readonly forwardedFor: string | null; readonly trustProxy: boolean },
): string {
  if (!options.trustProxy || options.forwardedFor === null) return peer;
  const rightmost = options.forwardedFor.split(",").at(-1)?.trim() ?? "";
  const [, ipv4, ipv6] = WITH_PORT.exec(rightmost) ?? [];
  const address = ipv4 ?? ipv6 ?? rightmost;
  return ADDRESS.test(address) ? address : peer;
}

/** The client's address of a request, by the settings in force. */
export function clientAddressOf(
  { request, connection }: Parameters<RouteHandler>[0],
  { config }: Pick<Settings, "config">,
): string {
  return clientAddress(connection.peer.hostname, {
    forwardedFor: request.headers.get("x-forwarded-for"),
    trustProxy: config.server.trust_proxy,
  });
}
