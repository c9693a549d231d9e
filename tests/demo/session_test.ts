import assert from "node:assert/strict";
import { type DemoBackend, startDemoBackend } from "../../demo/mod.ts";
import { tone } from "../../demo/tone.ts";
import { RawClient, type ReceivedEvent, typesOf } from "./raw_client.ts";

const MANUAL = { type: "realtime", audio: { input: { turn_detection: null } } };

/** A backend and a client whose session has been created. */
class Call implements AsyncDisposable {
  private constructor(readonly backend: DemoBackend, readonly client: RawClient) {}

  static async start(session?: object, { speed = 50 } = {}): Promise<Call> {
    const backend = await startDemoBackend({ speed });
    const client = await RawClient.open(`${backend.url}?model=demo-voice`);
    await client.skipTo("session.created");
    if (session !== undefined) {
      client.send({ type: "session.update", session });
      await client.skipTo("session.updated");
    }
    return new Call(backend, client);
  }

  append(pcm: Uint8Array, chunkMs = 100): void {
    for (let at = 0; at < pcm.length; at += chunkMs * 48) {
      const audio = pcm.slice(at, at + chunkMs * 48).toBase64();
      this.client.send({ type: "input_audio_buffer.append", audio });
    }
  }

  /** Answers the error that this event leads to. */
  async errorOf(event: object): Promise<unknown> {
    this.client.send(event);
    return (await this.client.skipTo("error"))["error"];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.backend.close();
  }
}

function silence(ms: number): Uint8Array {
  return new Uint8Array(ms * 48);
}

function usageOf(done: ReceivedEvent | undefined): unknown {
  return Reflect.get(Object(done?.["response"]), "usage");
}

const SPOKEN_HEAD = [
  "response.created",
  "response.output_item.added",
  "conversation.item.added",
  "response.content_part.added",
];
const SPOKEN_TAIL = [
  "response.output_audio.done",
  "response.output_audio_transcript.done",
  "response.content_part.done",
  "conversation.item.done",
  "response.output_item.done",
  "response.done",
];
const SPOKEN_PIECE = ["response.output_audio_transcript.delta", "response.output_audio.delta"];

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

Deno.test("DemoSession: a voice turn with a manual commit, event by event", async () => {
  await using call = await Call.start(MANUAL);
  const { client } = call;
  call.append(tone(1_000));
  client.send({ type: "input_audio_buffer.commit" });
  client.send({ type: "response.create" });
  const events = await client.until("rate_limits.updated");
  assert.deepEqual(typesOf(events), [
    "input_audio_buffer.committed",
    "conversation.item.added",
    "conversation.item.done",
    ...SPOKEN_HEAD,
    ...Array.from({ length: 15 }, () => SPOKEN_PIECE).flat(),
    ...SPOKEN_TAIL,
    "rate_limits.updated",
  ]);
  const audio = events.filter(({ type }) => type === "response.output_audio.delta");
  assert.deepEqual(
    audio.map(({ delta }) => delta),
    Array.from({ length: 15 }, () => tone(200).toBase64()),
  );
  const ids = new Set(events.map(({ event_id }) => event_id));
  assert.equal(ids.size, events.length);
});

Deno.test("DemoSession: a voice turn refers to the same response and item throughout", async () => {
  await using call = await Call.start(MANUAL);
  const { client } = call;
  client.send({ type: "response.create", response: { metadata: { secs: "0.5", topic: "x" } } });
  const events = await client.until("response.done");
  const transcript = "Hello from the";
  const item = {
    id: "item_0001_0001",
    object: "realtime.item",
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_audio", transcript }],
  };
  for (const event of events) {
    if ("response_id" in event) assert.equal(event["response_id"], "resp_0001_0001");
    if ("item_id" in event) assert.equal(event["item_id"], item.id);
  }
  assert.deepEqual(events.at(-1)?.["response"], {
    object: "realtime.response",
    id: "resp_0001_0001",
    conversation_id: "conv_0001_0001",
    output_modalities: ["audio"],
    max_output_tokens: "inf",
    audio: { output: { format: { type: "audio/pcm", rate: 24_000 }, voice: "marin" } },
    metadata: { secs: "0.5", topic: "x" },
    status: "completed",
    status_details: null,
    output: [item],
    usage: {
      total_tokens: 14,
      input_tokens: 0,
      output_tokens: 14,
      input_token_details: {
        text_tokens: 0,
        audio_tokens: 0,
        image_tokens: 0,
        cached_tokens: 0,
        cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
      },
      output_token_details: { text_tokens: 4, audio_tokens: 10 },
    },
  });
});

Deno.test("DemoSession: the second turn finds the first turn's input cached", async () => {
  await using call = await Call.start(MANUAL);
  const { backend, client } = call;
  for (const ms of [1_000, 500]) {
    call.append(tone(ms));
    client.send({ type: "input_audio_buffer.commit" });
    client.send({ type: "response.create", response: { metadata: { secs: "1" } } });
    await client.skipTo("response.done");
  }
  // One second spoken is 20 tokens as output and 10 as input; "Hello from the demo voice." is 7.
  const figures = backend.responses.map(({ response }) => [
    response.usage?.input_tokens,
    response.usage?.input_token_details?.cached_tokens,
    response.usage?.output_tokens,
  ]);
  assert.deepEqual(figures, [[10, 0, 27], [10 + 10 + 7 + 5, 10, 27]]);
});

Deno.test("DemoSession: instructions and tools are part of the input", async () => {
  const tools = [{ type: "function", name: "look_up", parameters: {} }];
  await using call = await Call.start({
    ...MANUAL,
    instructions: "Be brief.",
    tools,
    tool_choice: "none",
  });
  call.client.send({ type: "response.create", response: { metadata: { secs: "0.2" } } });
  const done = await call.client.skipTo("response.done");
  const expected = Math.ceil("Be brief.".length / 4) + Math.ceil(JSON.stringify(tools).length / 4);
  assert.partialDeepStrictEqual(usageOf(done), {
    input_tokens: expected,
    input_token_details: { text_tokens: expected, audio_tokens: 0 },
  });
});

Deno.test("DemoSession: a text turn, event by event", async () => {
  await using call = await Call.start({ ...MANUAL, output_modalities: ["text"] });
  const { client } = call;
  const content = [{ type: "input_text", text: "How are you?" }];
  client.send({
    type: "conversation.item.create",
    item: { type: "message", role: "user", content },
  });
  client.send({ type: "response.create", response: { metadata: { secs: "0.4" } } });
  const events = await client.until("rate_limits.updated");
  assert.deepEqual(typesOf(events), [
    "conversation.item.added",
    "conversation.item.done",
    ...SPOKEN_HEAD,
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "conversation.item.done",
    "response.output_item.done",
    "response.done",
    "rate_limits.updated",
  ]);
  assert.partialDeepStrictEqual(events.at(-2), {
    response: {
      output_modalities: ["text"],
      output: [{ content: [{ type: "output_text", text: "Hello from" }] }],
      usage: { input_tokens: 3, output_tokens: 3, output_token_details: { audio_tokens: 0 } },
    },
  });
});

Deno.test("DemoSession: a tool call, its output, and the spoken answer", async () => {
  const parameters = {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
  };
  const tools = [{ type: "function", name: "weather", parameters }];
  await using call = await Call.start({ ...MANUAL, tools });
  const { client } = call;
  client.send({ type: "response.create" });
  const events = await client.until("response.done");
  const args = '{"city":"demo","days":1}';
  assert.deepEqual(typesOf(events), [
    "response.created",
    "response.output_item.added",
    "conversation.item.added",
    ...Array.from({ length: 5 }, () => "response.function_call_arguments.delta"),
    "response.function_call_arguments.done",
    "conversation.item.done",
    "response.output_item.done",
    "response.done",
  ]);
  const deltas = events.filter(({ type }) => type === "response.function_call_arguments.delta");
  assert.equal(deltas.map(({ delta }) => delta).join(""), args);
  const called = { name: "weather", call_id: "call_0001_0001", arguments: args };
  assert.partialDeepStrictEqual(events.at(-4), called);
  assert.partialDeepStrictEqual(events.at(-1), {
    response: {
      status: "completed",
      output: [{ type: "function_call", status: "completed", ...called }],
    },
  });
  client.send({
    type: "conversation.item.create",
    item: { type: "function_call_output", call_id: "call_0001_0001", output: "sunny" },
  });
  client.send({ type: "response.create", response: { metadata: { secs: "0.2" } } });
  const answer = await client.skipTo("response.done");
  assert.partialDeepStrictEqual(answer, {
    response: { output: [{ type: "message", content: [{ type: "output_audio" }] }] },
  });
});

Deno.test("DemoSession: a detected turn is committed and answered", async () => {
  await using call = await Call.start();
  const { client } = call;
  call.append(silence(400));
  call.append(tone(600));
  call.append(silence(300));
  const events = await client.until("response.created");
  assert.deepEqual(typesOf(events), [
    "input_audio_buffer.speech_started",
    "input_audio_buffer.speech_stopped",
    "input_audio_buffer.committed",
    "conversation.item.added",
    "conversation.item.done",
    "response.created",
  ]);
  const [started, stopped, committed] = events;
  assert.deepEqual([started?.["audio_start_ms"], stopped?.["audio_end_ms"]], [100, 1_200]);
  assert.deepEqual(
    [started?.["item_id"], stopped?.["item_id"], committed?.["item_id"]],
    ["item_0001_0001", "item_0001_0001", "item_0001_0001"],
  );
  // The turn is the prefix, the speech and the silence that ended it.
  client.send({ type: "conversation.item.retrieve", item_id: "item_0001_0001" });
  const retrieved = await client.skipTo("conversation.item.retrieved");
  assert.partialDeepStrictEqual(retrieved, {
    item: {
      content: [{
        type: "input_audio",
        audio: new Uint8Array([...silence(300), ...tone(600), ...silence(200)]).toBase64(),
      }],
    },
  });
});

Deno.test("DemoSession: speech over an answer cancels it", async () => {
  await using call = await Call.start();
  const { client } = call;
  client.send({ type: "response.create", response: { metadata: { secs: "120" } } });
  await client.skipTo("response.output_audio.delta");
  call.append(tone(100));
  const [, ...events] = (await client.until("response.done")).filter(({ type }) =>
    !type.endsWith(".delta")
  );
  assert.deepEqual(typesOf(events), SPOKEN_TAIL);
  assert.partialDeepStrictEqual(events.at(-1), {
    response: {
      status: "cancelled",
      status_details: { type: "cancelled", reason: "turn_detected" },
      output: [{ status: "incomplete" }],
    },
  });
});

Deno.test("DemoSession: turn detection that neither answers nor interrupts", async () => {
  const turn_detection = { create_response: false, interrupt_response: false };
  await using call = await Call.start({ type: "realtime", audio: { input: { turn_detection } } });
  const { client } = call;
  client.send({ type: "response.create", response: { metadata: { secs: "1" } } });
  await client.skipTo("response.output_audio.delta");
  call.append(tone(200));
  call.append(silence(200));
  await client.skipTo("input_audio_buffer.committed");
  assert.partialDeepStrictEqual(await client.skipTo("response.done"), {
    response: { status: "completed" },
  });
  client.send({ type: "input_audio_buffer.clear" });
  const after = await client.until("input_audio_buffer.cleared");
  assert.deepEqual(typesOf(after), ["rate_limits.updated", "input_audio_buffer.cleared"]);
});

Deno.test("DemoSession: transcribes a turn when asked to", async () => {
  const input = { turn_detection: null, transcription: { model: "any" } };
  await using call = await Call.start({ type: "realtime", audio: { input } });
  const { client } = call;
  call.append(tone(1_000));
  client.send({ type: "input_audio_buffer.commit" });
  const events = await client.until("conversation.item.input_audio_transcription.completed");
  const transcript = "This is what the caller said.";
  assert.partialDeepStrictEqual(events.slice(-2), [
    { type: "conversation.item.input_audio_transcription.delta", delta: transcript },
    {
      item_id: "item_0001_0001",
      content_index: 0,
      transcript,
      usage: { type: "tokens", input_tokens: 10, output_tokens: 8, total_tokens: 18 },
    },
  ]);
  client.send({ type: "conversation.item.retrieve", item_id: "item_0001_0001" });
  assert.partialDeepStrictEqual(await client.skipTo("conversation.item.retrieved"), {
    item: { content: [{ type: "input_audio", transcript, audio: tone(1_000).toBase64() }] },
  });
});

Deno.test("DemoSession: response.cancel ends the answer early, with partial usage", async () => {
  await using call = await Call.start(MANUAL);
  const { client } = call;
  client.send({ type: "response.create", response: { metadata: { secs: "120" } } });
  await client.skipTo("response.output_audio.delta");
  client.send({ type: "response.cancel" });
  const events = await client.until("rate_limits.updated");
  const spoken = 1 + events.filter(({ type }) => type === "response.output_audio.delta").length;
  const tail = events.filter(({ type }) => !type.endsWith(".delta"));
  assert.deepEqual(typesOf(tail), [...SPOKEN_TAIL, "rate_limits.updated"]);
  assert.partialDeepStrictEqual(tail.at(-2), {
    response: {
      status: "cancelled",
      status_details: { type: "cancelled", reason: "client_cancelled" },
      output: [{ status: "incomplete" }],
      usage: { output_token_details: { audio_tokens: spoken * 4 } },
    },
  });
  client.send({ type: "response.create", response: { metadata: { secs: "0.2" } } });
  assert.partialDeepStrictEqual(await client.skipTo("response.done"), {
    response: { id: "resp_0001_0002", status: "completed" },
  });
});

Deno.test("DemoSession: a response cancelled before its first item has no output", async () => {
  await using call = await Call.start(MANUAL, { speed: 0.01 });
  const { client } = call;
  client.send({ type: "response.create" });
  client.send({ type: "response.cancel" });
  const events = await client.until("rate_limits.updated");
  assert.deepEqual(typesOf(events), ["response.created", "response.done", "rate_limits.updated"]);
  assert.partialDeepStrictEqual(events[1], { response: { status: "cancelled", output: [] } });
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

Deno.test("DemoSession: 99 ms are too little for a turn, 100 ms are enough", async () => {
  await using call = await Call.start(MANUAL);
  call.append(tone(99));
  assert.partialDeepStrictEqual(await call.errorOf({ type: "input_audio_buffer.commit" }), {
    code: "input_audio_buffer_commit_empty",
  });
  call.append(tone(1));
  call.client.send({ type: "input_audio_buffer.commit" });
  assert.equal((await call.client.next()).type, "input_audio_buffer.committed");
});

Deno.test("DemoSession: the input buffer is bounded", async () => {
  await using call = await Call.start(MANUAL);
  const audio = silence(60_000).toBase64();
  for (let minute = 0; minute < 2; minute++) {
    call.client.send({ type: "input_audio_buffer.append", audio });
  }
  const event = { type: "input_audio_buffer.append", audio: silence(1).toBase64() };
  assert.partialDeepStrictEqual(await call.errorOf(event), { code: "input_audio_buffer_full" });
});

Deno.test("DemoSession: a second response at a time is an error", async () => {
  await using call = await Call.start(MANUAL);
  call.client.send({ type: "response.create", response: { metadata: { secs: "120" } } });
  const error = await call.errorOf({ type: "response.create", event_id: "second" });
  assert.partialDeepStrictEqual(error, {
    code: "conversation_already_has_active_response",
    event_id: "second",
  });
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
