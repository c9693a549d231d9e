/**
 * A port for a program that must be told one, or for a backend that is not there.
 *
 * @module
 */

/** Below the ports that Linux and others give to whoever does not ask for one. */
const [LEAST, COUNT] = [20_000, 12_000];
const TRIES = 100;

/**
 * A port of the loopback that is free, and that the kernel gives to nobody until the program has it: neither
 * to a connection nor to a listener that asks for any port, as the program's own may.
 *
 * @throws {Error} When none is found.
 */
export function freePort(): number {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = LEAST + Math.floor(Math.random() * COUNT);
    try {
      using _listener = Deno.listen({ hostname: "127.0.0.1", port });
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  throw new Error("no free port");
}
