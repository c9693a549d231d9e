/**
 * The runtime's own WebSocket client through the router.
 *
 * Permissions: net, read and write below the folder for temporary files, env for the two variables of npm `ws`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runVoiceTurn, startDemoBackend } from "../../demo/mod.ts";
import { NativeClient } from "../support/native_client.ts";
import { MODEL, startTestRouter } from "../support/test_router.ts";

async function startBoth() {
  const backend = await startDemoBackend({ speed: 50 });
  const router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });
  return {
    backend,
    router,
    async [Symbol.asyncDispose]() {
      await router[Symbol.asyncDispose]();
      await backend.close();
    },
  };
}

Deno.test("WebSocket: has a voice turn with the usage that the backend reported", async () => {
  await using both = await startBoth();
  const { status, usage } = await runVoiceTurn(both.router.url, { model: MODEL, log: () => {} });
  const reported = both.backend.responses[0]?.response.usage;
  assert.equal(status, "completed");
  assert.deepEqual(usage, { input: reported?.input_tokens, cached: 0, output: 78 });
});

Deno.test("WebSocket: has a text turn, and its close frame reaches the backend", async () => {
  await using both = await startBoth();
  const client = await NativeClient.open(both.router.url);
  await client.textTurn();
  client.close(3_456, "enough");
  const end = { code: 3_456, reason: "enough" };
  assert.deepEqual(await client.ended, { ...end, wasClean: true });
  assert.deepEqual(await both.backend.upgrades[0]?.closed, end);
});

Deno.test.each([
  { knob: "1000", code: 1000, reason: "asked for by metadata" },
  { knob: "1001", code: 1001, reason: "asked for by metadata" },
  { knob: "1005", code: 1005, reason: "" },
  { knob: "1013", code: 1013, reason: "asked for by metadata" },
  { knob: "4000", code: 4000, reason: "asked for by metadata" },
])("WebSocket: sees the backend's close frame %o", async ({ knob, code, reason }) => {
  await using both = await startBoth();
  await using client = await NativeClient.open(both.router.url);
  await assert.rejects(client.textTurn({ metadata: { close: knob } }), /has ended/);
  assert.deepEqual(await client.ended, { code, reason, wasClean: true });
});

Deno.test("WebSocket: sees 1011 when the backend's connection is lost", async () => {
  await using both = await startBoth();
  await using client = await NativeClient.open(both.router.url);
  await assert.rejects(client.textTurn({ metadata: { die: "1" } }), /has ended/);
  assert.partialDeepStrictEqual(await client.ended, { code: 1011, wasClean: true });
});

Deno.test("WebSocket: shows the status of a refusal", async () => {
  await using both = await startBoth();
  await assert.rejects(
    NativeClient.open(`${both.router.url}-of-nobody`),
    /Invalid status code: 404/,
  );
});
