/**
 * Who a request comes from.
 *
 * @module
 */

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
