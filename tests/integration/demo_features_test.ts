/**
 * What a voice backend does besides plain turns, through the router: every way in which a response can end,
 * turn detection, barge-in, what was heard given back, the limit of a session.
 */

import assert from "node:assert/strict";
import {
  type DemoBackend,
  type DemoBackendOptions,
  startDemoBackend,
  tone,
} from "../../demo/mod.ts";
import { NativeClient } from "../support/native_client.ts";
import { textTurn } from "../support/text_turn.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

const CHUNK_MS = 100;

interface Setting {
  readonly backend: DemoBackend;
  readonly router: TestRouter;
  readonly client: NativeClient;
}

async function withClient(
  run: (setting: Setting) => Promise<void>,
  options: DemoBackendOptions = {},
): Promise<void> {
  await using backend = await startDemoBackend({ speed: 50, ...options });
  await using router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });
  const client = await NativeClient.open(router.url);
  await run({ backend, router, client });
  client.close(1000);
  await client.ended;
  await router.router.sessions.whenEmpty();
}

/** What the router recorded, oldest first. */
function recordsOf({ router }: TestRouter) {
  return router.usage.recent.newestFirst(10).toReversed().map((record) => ({
    outcome: record.outcome,
    reason: record.status_reason,
    source: record.token_source,
  }));
}

const eventsOf = (router: TestRouter, result: string) =>
  router.metric("realtime_usage_events_total", { backend: "b0", result });

const COMPLETED = { outcome: "completed", reason: "absent", source: "engine_final" };

Deno.test.each([
  { knob: { fail: "1" }, record: { outcome: "upstream_error", reason: "absent", source: "none" } },
  {
    knob: { maxtok: "3" },
    record: { outcome: "length", reason: "max_output_tokens", source: "engine_final" },
  },
  {
    knob: { filter: "1" },
    record: { outcome: "completed", reason: "content_filter", source: "engine_final" },
  },
  { knob: { nousage: "1" }, record: { ...COMPLETED, source: "none" } },
  { knob: { nousage: "null" }, record: { ...COMPLETED, source: "none" } },
  { knob: { nulldetails: "1" }, record: COMPLETED },
])("a response with $knob is recorded once, and the next one too", async ({ knob, record }) => {
  await withClient(async ({ client, router }) => {
    await client.textTurn({ metadata: knob });
    for (const text of textTurn()) client.send(text);
    await client.skipTo("rate_limits.updated");
    await client.skipTo("rate_limits.updated");
    assert.deepEqual(recordsOf(router), [record, COMPLETED]);
  });
});

Deno.test("a response.done that comes twice is two records", async () => {
  await withClient(async ({ client, router }) => {
    await client.textTurn({ metadata: { dup: "1" } });
    await client.skipTo("response.done");
    await client.skipTo("rate_limits.updated");
    assert.deepEqual(recordsOf(router), [COMPLETED, COMPLETED]);
  });
});

Deno.test("a response without its end is in flight when the session ends, the next one is recorded", async () => {
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });
  const client = await NativeClient.open(router.url);
  await client.skipTo("session.created");
  for (const text of textTurn({ metadata: { nodone: "1" } })) client.send(text);
  await client.skipTo("response.output_item.done");
  for (const text of textTurn()) client.send(text);
  await client.skipTo("response.done");
  client.close(1000);
  await client.ended;
  await router.router.sessions.whenEmpty();
  assert.deepEqual(recordsOf(router), [COMPLETED]);
  assert.equal(await eventsOf(router, "session_closed_in_flight"), 1);
});

function speak(client: NativeClient, pcm: Uint8Array): void {
  const bytes = CHUNK_MS * 48;
  for (let at = 0; at < pcm.length; at += bytes) {
    const audio = pcm.subarray(at, at + bytes).toBase64();
    client.send(JSON.stringify({ type: "input_audio_buffer.append", audio }));
  }
}

Deno.test("turns are detected; who speaks into an answer interrupts it", async () => {
  await withClient(async ({ client, router }) => {
    await client.skipTo("session.created");
    speak(client, tone(400));
    const started = JSON.parse(await client.skipTo("input_audio_buffer.speech_started"));
    speak(client, new Uint8Array(500 * 48));
    const stopped = JSON.parse(await client.skipTo("input_audio_buffer.speech_stopped"));
    assert.equal(started.item_id, stopped.item_id);
    await client.skipTo("input_audio_buffer.committed");
    await client.skipTo("response.output_audio.delta");
    speak(client, tone(200));
    const { response } = JSON.parse(await client.skipTo("response.done"));
    assert.deepEqual(
      [response.status, response.status_details.reason],
      ["cancelled", "turn_detected"],
    );
    const [item] = response.output;
    const truncate = { item_id: item.id, content_index: 0, audio_end_ms: 100 };
    client.send(JSON.stringify({ type: "conversation.item.truncate", ...truncate }));
    const truncated = JSON.parse(await client.skipTo("conversation.item.truncated"));
    assert.partialDeepStrictEqual(truncated, truncate);
    assert.deepEqual(recordsOf(router), [
      { outcome: "client_cancelled", reason: "turn_detected", source: "engine_final" },
    ]);
  }, { speed: 4 });
});

Deno.test("what was heard comes back, in a message that is too large to be read", async () => {
  await withClient(async ({ client, router }) => {
    const heard = tone(6_000);
    await client.skipTo("session.created");
    const audio = { input: { turn_detection: null } };
    client.send(JSON.stringify({ type: "session.update", session: { type: "realtime", audio } }));
    speak(client, heard);
    client.send(JSON.stringify({ type: "input_audio_buffer.commit" }));
    const { item_id } = JSON.parse(await client.skipTo("input_audio_buffer.committed"));
    client.send(JSON.stringify({ type: "conversation.item.retrieve", item_id }));
    const text = await client.skipTo("conversation.item.retrieved");
    assert.ok(text.length > 262_144);
    assert.equal(JSON.parse(text).item.content[0].audio, heard.toBase64());
    assert.equal(await eventsOf(router, "oversized"), 1);
  });
});

Deno.test("a session at its limit is told so, and ends with 1001 and the backend's own words", async () => {
  await using backend = await startDemoBackend({ maxSessionMs: 100 });
  await using router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });
  const client = await NativeClient.open(router.url);
  const { error } = JSON.parse(await client.skipTo("error"));
  assert.equal(error.code, "session_expired");
  const reason = "Your session hit the maximum duration of 60 minutes.";
  assert.deepEqual(await client.ended, { code: 1001, reason, wasClean: true });
  await router.router.sessions.whenEmpty();
  const completed = { backend: "b0", outcome: "completed" };
  assert.equal(await router.metric("realtime_sessions_total", completed), 1);
});
