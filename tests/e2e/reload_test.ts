/**
 * SIGHUP to a running router.
 *
 * Permissions: those of `program_test.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { serverSection, startRouterProcess } from "../support/router_process.ts";
import { makeTempDir } from "../support/temp_dir.ts";

const blocked = async (port: number) => {
  const response = await fetch(`http://127.0.0.1:${port}/v1/models`);
  await response.body?.cancel();
  return response.status === 401;
};

Deno.test("SIGHUP: a changed file takes effect, and what waits for a restart is named", async () => {
  await using dir = await makeTempDir();
  const yaml = `${serverSection(dir)}\nbackends: []\nlogging: { level: info }\n`;
  await using router = await startRouterProcess(dir, { yaml });
  assert.equal(await blocked(router.port), false);

  await dir.write(
    "config.yaml",
    `${yaml}api_keys: { mode: blocking }\nmetrics: { enabled: false }\n`,
  );
  router.program.signal("SIGHUP");
  const waiting = await router.program.record("waits for a restart");
  assert.equal(waiting["field"], "metrics.enabled");
  const reloaded = await router.program.record("configuration reloaded");
  assert.equal(reloaded["waiting_for_restart"], 1);
  assert.equal(await blocked(router.port), true);
});

Deno.test("SIGHUP: a file that is not valid is logged, and changes nothing", async () => {
  await using dir = await makeTempDir();
  const yaml = `${serverSection(dir)}\nbackends: []\n`;
  await using router = await startRouterProcess(dir, { yaml });
  await dir.write("config.yaml", `${yaml}api_keys: { mode: blocking, moode: 1 }\n`);
  router.program.signal("SIGHUP");
  const refused = await router.program.record("not reloaded");
  assert.equal(refused.level, "error");
  assert.match(String(refused["problem"]), /api_keys\.moode/);
  assert.equal(await blocked(router.port), false);
});

Deno.test("SIGHUP: what a start would refuse is refused, and what it warns of is warned of", async () => {
  await using dir = await makeTempDir();
  const yaml = `${serverSection(dir)}\n`;
  await using router = await startRouterProcess(dir, { yaml: `${yaml}backends: []\n` });
  await dir.write("config.yaml", `${yaml}backends: [{ name: a, url: "wss://127.0.0.1:1" }]\n`);
  router.program.signal("SIGHUP");
  const refused = await router.program.record("not reloaded");
  assert.match(String(refused["problem"]), /^backend a uses TLS, so DENO_TLS_CA_STORE=system must/);

  const breakers = "circuit_breaker: { backends: { nowhere: { failure_threshold: 2 } } }";
  await dir.write("config.yaml", `${yaml}backends: []\n${breakers}\n`);
  router.program.signal("SIGHUP");
  await router.program.record("configuration reloaded");
  const { stdout } = await router.program.end("SIGTERM");
  const warning =
    /"level":"warn"[^\n]*circuit_breaker\.backends[^\n]*nowhere[^\n]*"module":"reload"/;
  assert.match(stdout, warning);
});

Deno.test("SIGHUP: the log's level changes at once", async () => {
  await using dir = await makeTempDir();
  const yaml = `${serverSection(dir)}\nbackends: []\n`;
  await using router = await startRouterProcess(dir, { yaml: `${yaml}logging: { level: info }\n` });
  await dir.write("config.yaml", `${yaml}logging: { level: error }\n`);
  router.program.signal("SIGHUP");
  // The router applies the file before it says so, and at this level it says nothing: its end is silent too.
  while (await levelOf(router.port) !== "error") await new Promise((go) => setTimeout(go, 20));
  const { stdout } = await router.program.end("SIGTERM");
  assert.doesNotMatch(stdout, /"msg":"(draining|stopped)"/);
});

async function levelOf(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/admin/config`);
  const { logging } = await response.json();
  return logging.level;
}
