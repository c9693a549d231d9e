/** The configurations in `deploy/`: valid, without a warning, and as the files beside them expect. */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { configWarnings } from "../../src/config/mod.ts";
import { hasAudioModel } from "../../src/router/mod.ts";
import { configOf, CONFIGS } from "./project_files.ts";

Deno.test.each(CONFIGS.map((path) => ({ path })))(
  "$path: is valid, without a warning",
  async ({ path }) => {
    const config = await configOf(path);
    const warnings = configWarnings(config, {
      hasAudioModel: () => hasAudioModel(config, { modelMetadata: [] }),
      now: 0,
    });
    assert.deepEqual(warnings, []);
  },
);

Deno.test.each(CONFIGS.map((path) => ({ path })))(
  "$path: clients cannot reach /admin and /metrics where they come in",
  async ({ path }) => {
    const { server, admin } = await configOf(path);
    const ports = server.bind_address.map(({ port }) => port);
    assert.deepEqual(ports, [8080]);
    assert.deepEqual(admin.bind_address.map(({ port }) => port), [9090]);
  },
);

Deno.test.each([
  { path: "deploy/compose/config.yaml", runtime: "/tmp/realtime-router", spool: "data" },
  { path: "deploy/kubernetes/config.yaml", runtime: "/tmp/realtime-router", spool: "data" },
  {
    path: "deploy/systemd/config.yaml",
    runtime: "/run/realtime-router",
    spool: "/var/lib/realtime-router",
  },
])("$path: writes to folders that its command line allows", async ({ path, runtime, spool }) => {
  const { server, control_plane: hub } = await configOf(path);
  assert.deepEqual([server.runtime_dir, dirname(hub.spool_path)], [runtime, spool]);
});
