/**
 * Tests that must fail, for `log_watch_test.ts`: a router logs a key, in this process and as a program.
 *
 * @module
 */

import { FakeBackend } from "../../support/fake_backend.ts";
import { openRaw } from "../../support/raw_client.ts";
import {
  routerPermissions,
  serverSection,
  startRouterProcess,
} from "../../support/router_process.ts";
import { makeTempDir } from "../../support/temp_dir.ts";
import { MODEL, startTestRouter } from "../../support/test_router.ts";

const KEY = "planted-key-4711";
/** A key whose id is the key itself is logged as such. */
const KEYS = `api_keys: { mode: blocking, api_keys: [{ id: ${KEY}, key: ${KEY} }] }`;

async function session(port: number, fake: FakeBackend): Promise<void> {
  using _client = await openRaw({ port, headers: { authorization: `Bearer ${KEY}` } });
  using _backend = await fake.nextSession();
}

Deno.test("leaks in this process", async () => {
  await using fake = await FakeBackend.listen();
  await using test = await startTestRouter({ backends: [fake.url], yaml: KEYS });
  await session(test.port, fake);
  await test.router.sessions.whenEmpty();
});

Deno.test("leaks as a program", async () => {
  await using dir = await makeTempDir();
  await using fake = await FakeBackend.listen();
  const backends = `backends: [{ name: b0, url: "${fake.url}", models: [${MODEL}], ` +
    `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]`;
  const yaml = [serverSection(dir), "realtime: { enabled: true }", backends, KEYS].join("\n");
  await using router = await startRouterProcess(dir, { yaml, permissions: routerPermissions(dir) });
  await session(router.port, fake);
  await router.program.record("session ended");
});

Deno.test("leaks nothing", async () => {
  await using _test = await startTestRouter();
});
