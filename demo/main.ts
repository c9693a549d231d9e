/**
 * `deno task demo`: the embedded voice backend and a router with the default configuration in front of
 * it, besides the console. With `--once` it ends after one voice turn.
 *
 * @module
 */

import manifest from "../deno.json" with { type: "json" };
import { loadConfig } from "../src/config/mod.ts";
import { type Router, startRouter } from "../src/router/mod.ts";
import { runDemo } from "./mod.ts";

const PORTS_TO_TRY = 20;

await runDemo({
  once: Deno.args.includes("--once"),
  log: (line) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`)),
  startRouter: startDemoRouter,
  untilStopped: () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, resolve);
    return promise;
  },
});

/** What the router recorded so far. Its input is without what was cached; the demo's is with it. */
function meteredBy({ usage }: Router) {
  const { input, cached_input, output } = usage.statistics.snapshot(0).tokens;
  return { input: input + cached_input, cached: cached_input, output };
}

/** The router of `config.yaml`, with its demo backend where it really is, and with the console. */
async function startDemoRouter(backendUrl: string) {
  const { config } = await loadConfig({
    path: new URL("../config.yaml", import.meta.url).pathname,
    readTextFile: Deno.readTextFile,
    get: (name) => Deno.env.get(name),
  });
  const url = new URL(backendUrl).origin;
  const backends = config.backends.map((backend) => ({ ...backend, url }));
  const [address] = config.server.bind_address;
  if (address === undefined) throw new Error("config.yaml: server.bind_address is empty");
  for (let port = address.port;; port++) {
    const bind_address = [{ ...address, port }];
    const server = { ...config.server, bind_address };
    try {
      const router = await startRouter(
        { ...config, server, backends, console: { enabled: true } },
        { version: manifest.version },
      );
      return {
        url: `ws://${address.hostname}:${port}/v1/realtime`,
        consoleUrl: `http://${address.hostname}:${port}/console`,
        usage: () => Promise.resolve(meteredBy(router)),
        close: () => router.close(),
      };
    } catch (error) {
      const taken = error instanceof Error && error.cause instanceof Deno.errors.AddrInUse;
      if (!taken || port - address.port >= PORTS_TO_TRY) throw error;
    }
  }
}
