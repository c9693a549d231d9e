/**
 * SIGTERM while sessions run (spec §14). Needs what `memory_test.ts` needs.
 */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { connectRaw, openRaw, upgradeRequest } from "../support/raw_client.ts";
import { encodeFrame, OPCODE, type RawPeer, textOf } from "../support/raw_peer.ts";
import { startRouterProcess } from "../support/router_process.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { MODEL } from "../support/test_router.ts";

const SESSIONS = 20;
const STALLED = 5;
const DRAIN_MS = 1_500;
const GRACE_MS = 5_000;
const SLACK_MS = 1_000;

Deno.test("SIGTERM with 20 sessions, five stalled: 1001 to whoever can be reached, exit 0 in time", async () => {
  await using dir = await makeTempDir();
  await using fake = await FakeBackend.listen();
  await using router = await startRouterProcess(dir, {
    yaml: [
      `server: { bind_address: "127.0.0.1:0", runtime_dir: "${dir.at("run")}", ` +
      `drain_timeout: "${DRAIN_MS}ms" }`,
      'realtime: { enabled: true, idle_timeout: "0", max_session_duration: "1h" }',
      "health_checks: { enabled: false }",
      `backends: [{ name: b, url: "${fake.url}", models: [${MODEL}], ` +
      `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]`,
    ].join("\n"),
  });
  const pairs: { readonly client: RawPeer; readonly backend: RawPeer }[] = [];
  for (let i = 0; i < SESSIONS; i++) {
    const client = await openRaw({ port: router.port });
    const backend = await fake.nextSession();
    await backend.sendText("ready");
    assert.equal(textOf(await client.readMessage()), "ready");
    pairs.push({ client, backend });
  }
  await Promise.all(pairs.slice(0, STALLED).map(({ backend }) => fill(backend)));
  const leaver = pairs[SESSIONS - 1]!;

  const startedMs = performance.now();
  const exit = router.program.end("SIGTERM");
  await router.program.record("draining");
  await assertRefusedWhileDraining(router.port);
  // One ends by itself while it still may.
  await leaver.client.sendClose(1000, "done");
  assert.deepEqual(await leaver.backend.readClose(), { code: 1000, reason: "done" });
  assert.ok(performance.now() - startedMs < DRAIN_MS, "the drain has not begun to end sessions");

  const expected = { code: 1001, reason: "server shutting down" };
  for (const [index, { client, backend }] of pairs.slice(0, -1).entries()) {
    assert.deepEqual(await backend.readClose(), expected, `backend ${index}`);
    await backend.sendClose(1001);
    if (index < STALLED) continue;
    assert.deepEqual(await client.readClose(), expected, `client ${index}`);
    await client.sendClose(1001);
  }
  assert.equal((await exit).code, 0);
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs >= DRAIN_MS + GRACE_MS, `stalled clients had only ${tookMs} ms`);
  assert.ok(tookMs < DRAIN_MS + GRACE_MS + SLACK_MS, `took ${tookMs} ms`);
  for (const { client, backend } of pairs) {
    client[Symbol.dispose]();
    backend[Symbol.dispose]();
  }
});

Deno.test("SIGTERM while a backend stalls its handshake: 1001 to the client, the dial is given up, exit 0", async () => {
  await using dir = await makeTempDir();
  await using fake = await FakeBackend.listen();
  await using router = await startRouterProcess(dir, {
    yaml: [
      `server: { bind_address: "127.0.0.1:0", runtime_dir: "${
        dir.at("run")
      }", drain_timeout: "200ms" }`,
      'realtime: { enabled: true, handshake_timeout: "20s" }',
      "health_checks: { enabled: false }",
      `backends: [{ name: b, url: "${fake.url}", models: [${MODEL}], ` +
      `model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }] }]`,
    ].join("\n"),
  });
  using client = await openRaw({ port: router.port });
  const connection = await fake.nextConnection();
  await connection.readRequest();
  const exit = router.program.end("SIGTERM");
  assert.deepEqual(await client.readClose(), { code: 1001, reason: "server shutting down" });
  await client.sendClose(1001);
  await client.readRest();
  client[Symbol.dispose]();
  await connection.peer.readRest();
  assert.equal((await exit).code, 0);
});

async function assertRefusedWhileDraining(port: number): Promise<void> {
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  assert.equal(ready.status, 503);
  await ready.body?.cancel();
  const alive = await fetch(`http://127.0.0.1:${port}/health`);
  assert.equal(alive.status, 200);
  await alive.body?.cancel();
  using client = await connectRaw(port);
  await client.write(upgradeRequest({ port }));
  const answer = new TextDecoder().decode(await client.readRest());
  assert.match(answer, /^HTTP\/1\.1 503 [^]*retry-after: \d+[^]*"code":"draining"/i);
}

/** Sends until the client's side takes no more. */
async function fill(backend: RawPeer): Promise<void> {
  const frame = encodeFrame({ opcode: OPCODE.binary, payload: new Uint8Array(64 * 1024) }, {
    masked: false,
  });
  const progress = { bytes: 0 };
  void (async () => {
    for (;;) {
      await backend.write(frame);
      progress.bytes += frame.length;
    }
  })().catch(() => {});
  for (let before = -1; before !== progress.bytes;) {
    before = progress.bytes;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}
