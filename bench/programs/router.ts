/**
 * `router.ts PORT BACKEND_URL RUNTIME_DIR [unix|tcp]`: the router in front of one backend, with metering and
 * metrics on. `tcp` is the dialer's fallback mode, which the program itself takes on Windows only.
 *
 * @module
 */

import { parseConfig } from "../../src/config/mod.ts";
import { startRouter } from "../../src/router/mod.ts";

const [port, backendUrl, runtimeDir, transport = "unix"] = Deno.args;
if (runtimeDir === undefined || (transport !== "unix" && transport !== "tcp")) {
  throw new Error("usage: router.ts PORT BACKEND_URL RUNTIME_DIR [unix|tcp]");
}
const config = parseConfig(
  `
server: { bind_address: "127.0.0.1:${port}", runtime_dir: "${runtimeDir}" }
realtime: { enabled: true, max_sessions: 20000 }
health_checks: { enabled: false }
console: { enabled: true }
backends:
  - name: fake
    url: "${backendUrl}"
    models: [m]
    model_configs: [{ id: m, metadata: { capabilities: [audio] } }]
`,
  { get: () => undefined },
);
await startRouter(config, { version: "bench", transport });
