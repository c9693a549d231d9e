/**
 * The embedded voice backend alone, for `compose.yaml`: on every address, until a signal.
 *
 * @module
 */

import { startDemoBackend } from "../demo/mod.ts";

await using _backend = await startDemoBackend({ hostname: "0.0.0.0", port: 9_099 });
const stopped = Promise.withResolvers<void>();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, stopped.resolve);
}
await stopped.promise;
