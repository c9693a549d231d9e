/** The Caddyfile: what it sends where, and that Caddy accepts it. */

import assert from "node:assert/strict";
import { makeTempDir } from "../support/temp_dir.ts";
import { startCaddy } from "./caddy.ts";
import { needing, PROGRAMS, run } from "./installed_program.ts";
import { configOf, pathOf, textOf } from "./project_files.ts";
import { testSessionsThrough } from "./proxied_sessions.ts";

const PATH = "deploy/caddy/Caddyfile";

Deno.test("Caddyfile: leads to the router's port, and keeps what is for operators from clients", async () => {
  const text = await textOf(PATH);
  const { server } = await configOf("deploy/systemd/config.yaml");
  assert.match(text, new RegExp(`reverse_proxy 127\\.0\\.0\\.1:${server.bind_address[0]?.port} `));
  assert.match(text, /@operators path \/admin \/admin\/\* \/metrics \/console \/console\/\*\n/);
  assert.match(text, /respond @operators 404\n/);
  // With it a client could say whose address it has.
  assert.doesNotMatch(text, /^\s*trusted_proxies/m);
});

Deno.test({
  ...needing("caddy", "caddy validate"),
  async fn() {
    await using dir = await makeTempDir();
    const { code, text } = await run(PROGRAMS.caddy, {
      args: ["validate", "--adapter", "caddyfile", "--config", pathOf(PATH)],
      env: { HOME: dir.path },
    });
    assert.equal(code, 0, text);
  },
});

testSessionsThrough("caddy", startCaddy);
