/**
 * A port for a program that must be told one.
 *
 * @module
 */

/** A port of 127.0.0.1 that was free a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
