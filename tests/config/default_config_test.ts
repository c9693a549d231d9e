/**
 * The file `config.yaml` that the project ships. This test alone reads a file: it needs
 * `--allow-read=config.yaml` and is ignored without.
 *
 * @module
 */

import assert from "node:assert/strict";
import { configWarnings, loadConfig } from "../../src/config/mod.ts";

const PATH = "config.yaml";
const readable = Deno.permissions.querySync({ name: "read", path: PATH }).state === "granted";

Deno.test({
  name: "config.yaml: is valid, has no warning and works with the embedded demo backend",
  ignore: !readable,
  permissions: readable ? { read: [PATH] } : "inherit",
  fn: async () => {
    const loaded = await loadConfig({
      path: PATH,
      readTextFile: (path) => Deno.readTextFile(path),
      get: () => undefined,
    });
    const { config } = loaded;
    assert.deepEqual(configWarnings(config, { hasAudioModel: () => true, now: 0 }), []);
    assert.deepEqual(loaded.variables, []);
    assert.equal(config.realtime.enabled, true);
    assert.deepEqual(config.server.bind_address.map((address) => address.text), [
      "127.0.0.1:8080",
    ]);
    assert.deepEqual(config.backends.map((backend) => [backend.name, backend.url]), [
      ["demo", "http://127.0.0.1:9099"],
    ]);
    assert.deepEqual(config.backends[0]?.model_configs.map(({ id, aliases }) => [id, aliases]), [
      ["demo-voice", ["demo"]],
    ]);
    assert.equal(config.backends[0]?.health_check.endpoint, "/health");
  },
});
