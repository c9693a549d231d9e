/**
 * The router in front of one backend, with metrics on. Prints its port.
 *
 * @module
 */

import { parseConfig } from "../../src/config/mod.ts";
import { startRouter } from "../../src/router/mod.ts";

const [backendUrl, transport = "unix"] = Deno.args;
if (backendUrl === undefined || (transport !== "unix" && transport !== "tcp")) {
  throw new Error("usage: router.ts BACKEND_URL [unix|tcp]");
}
const config = parseConfig(
  `
server: { bind_address: "127.0.0.1:0", runtime_dir: /tmp/realtime-router-bench }
realtime: { enabled: true, max_sessions: 20000 }
health_checks: { enabled: false }
console: { enabled: true }
backends:
  - name: echo
    url: "${backendUrl}"
    models: [m]
    model_configs: [{ id: m, metadata: { capabilities: [audio] } }]
`,
  { get: () => undefined },
);
const router = await startRouter(config, { version: "bench", transport });
Deno.stdout.writeSync(new TextEncoder().encode(`${router.addresses[0]?.port}\n`));
