/**
 * Who a request comes from.
 *
 * @module
 */

import type { RouteHandler } from "../http/mod.ts";
import type { Settings } from "./settings.ts";

/** What an address in `X-Forwarded-For` may look like: IPv4 or IPv6, perhaps with a port. */
const ADDRESS = /^[0-9A-Fa-f:.[\]]{2,64}$/;

/**
 * The client's address: the connection's, or behind a trusted proxy the rightmost `X-Forwarded-For`
 * entry, which that proxy wrote. What is no address there is not believed.
 */
export function clientAddress(
  peer: string,
  options: { readonly forwardedFor: string | null; readonly trustProxy: boolean },
): string {
  if (!options.trustProxy || options.forwardedFor === null) return peer;
  const rightmost = options.forwardedFor.split(",").at(-1)?.trim() ?? "";
  return ADDRESS.test(rightmost) ? rightmost : peer;
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
