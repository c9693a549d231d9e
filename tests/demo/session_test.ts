import assert from "node:assert/strict";
import { startDemoBackend } from "../../demo/mod.ts";
import { tone } from "../../demo/tone.ts";
import { Call, MANUAL } from "./call.ts";
import { RawClient } from "./raw_client.ts";

Deno.test("DemoSession: starts with session.created", async () => {
  await using backend = await startDemoBackend();
  await using client = await RawClient.open(`${backend.url}?model=demo-voice`);
  const created = await client.next();
  assert.partialDeepStrictEqual(created, {
    type: "session.created",
    event_id: "event_0001_0001",
    session: { id: "sess_0001_0001", object: "realtime.session", model: "demo-voice" },
  });
  assert.ok((client.sizes[0] ?? 0) > 600);
});

Deno.test("DemoSession: items can be created, retrieved, truncated and deleted", async () => {
  await using call = await Call.start(MANUAL);
  const { client } = call;
  client.send({ type: "response.create", response: { metadata: { secs: "0.4" } } });
  await client.skipTo("rate_limits.updated");
  const item_id = "item_0001_0001";
  client.send({ type: "conversation.item.truncate", item_id, content_index: 0, audio_end_ms: 100 });
  client.send({ type: "conversation.item.retrieve", item_id });
  client.send({
    type: "conversation.item.create",
    previous_item_id: "root",
    item: {
      type: "message",
      id: "mine",
      role: "system",
      content: [{ type: "input_text", text: "Hi" }],
    },
  });
  client.send({ type: "conversation.item.delete", item_id });
  const events = await client.until("conversation.item.deleted");
  assert.equal(events.length, 5);
  assert.partialDeepStrictEqual(events, [
    { type: "conversation.item.truncated", item_id, content_index: 0, audio_end_ms: 100 },
    {
      type: "conversation.item.retrieved",
      item: { content: [{ type: "output_audio", transcript: "", audio: tone(100).toBase64() }] },
    },
    { type: "conversation.item.added", previous_item_id: null, item: { id: "mine" } },
    { type: "conversation.item.done", item: { id: "mine", status: "completed" } },
    { type: "conversation.item.deleted", item_id },
  ]);
});

Deno.test("DemoSession: a client's item that takes the next id of the backend does no harm", async () => {
  await using call = await Call.start(MANUAL);
  const { client } = call;
  const content = [{ type: "input_text", text: "Hi" }];
  const item = { type: "message", id: "item_0001_0001", role: "user", content };
  client.send({ type: "conversation.item.create", item });
  client.send({ type: "response.create", response: { metadata: { secs: "0.2" } } });
  assert.partialDeepStrictEqual(await client.skipTo("response.done"), {
    response: { status: "completed", output: [{ id: "item_0001_0001" }] },
  });
});

Deno.test.each([
  {
    name: "a commit of less than 100 ms",
    event: { type: "input_audio_buffer.commit" },
    error: { code: "input_audio_buffer_commit_empty" },
  },
  {
    name: "a cancel without a response",
    event: { type: "response.cancel" },
    error: { code: "response_cancel_not_active" },
  },
  {
    name: "an update of another type",
    event: { type: "session.update", session: { instructions: "x" } },
    error: { code: "missing_required_parameter", param: "session.type" },
  },
  {
    name: "an unknown type",
    event: { type: "session.nothing" },
    error: { code: "invalid_value", param: "type" },
  },
  {
    name: "an unknown item",
    event: { type: "conversation.item.retrieve", item_id: "item_x" },
    error: { code: "item_retrieve_invalid_item_id", param: "item_id" },
  },
  {
    name: "audio that is not base64",
    event: { type: "input_audio_buffer.append", audio: "~" },
    error: { code: "invalid_value", param: "audio" },
  },
  {
    name: "a knob it cannot turn",
    event: { type: "response.create", response: { metadata: { secs: "long" } } },
    error: { code: "invalid_value", param: "response.metadata.secs" },
  },
])("DemoSession: $name is an error, and the session stays", async ({ event, error }) => {
  await using call = await Call.start(MANUAL);
  assert.partialDeepStrictEqual(await call.errorOf({ ...event, event_id: "mine" }), {
    type: "invalid_request_error",
    event_id: "mine",
    ...error,
  });
  call.client.send({ type: "input_audio_buffer.clear" });
  assert.equal((await call.client.next()).type, "input_audio_buffer.cleared");
});

Deno.test.each([
  { name: "half a message", message: '{"type":' },
  { name: "a binary message", message: new TextEncoder().encode('{"type":"response.create"}') },
])("DemoSession: $name is an error, and the session stays", async ({ message }) => {
  await using call = await Call.start(MANUAL);
  call.client.sendRaw(message);
  assert.partialDeepStrictEqual(await call.client.next(), {
    type: "error",
    error: { code: "invalid_json", event_id: null },
  });
  call.client.send({ type: "input_audio_buffer.clear" });
  assert.equal((await call.client.next()).type, "input_audio_buffer.cleared");
});

Deno.test("DemoSession: JSON nested too deeply to be sent back does not end the backend", async () => {
  await using call = await Call.start(MANUAL);
  const depth = 200_000;
  const nested = "[".repeat(depth) + "]".repeat(depth);
  call.client.sendRaw(
    `{"type":"session.update","session":{"type":"realtime","prompt":${nested}}}`,
  );
  assert.partialDeepStrictEqual(await call.client.next(), { type: "error" });
  call.client.send({ type: "input_audio_buffer.clear" });
  assert.equal((await call.client.next()).type, "input_audio_buffer.cleared");
});
