import assert from "node:assert/strict";
import { tone } from "../../demo/tone.ts";
import { Call, MANUAL, SPOKEN_TAIL } from "./call.ts";
import { typesOf } from "./raw_client.ts";

const SPOKEN_HEAD = [
  "response.created",
  "response.output_item.added",
  "conversation.item.added",
  "response.content_part.added",
];
const SPOKEN_PIECE = ["response.output_audio_transcript.delta", "response.output_audio.delta"];

Deno.test("Responses: a voice turn with a manual commit, event by event", async () => {
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

Deno.test("Responses: a voice turn refers to the same response and item throughout", async () => {
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

Deno.test("Responses: the second turn finds the first turn's input cached", async () => {
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

Deno.test("Responses: instructions and tools are part of the input", async () => {
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
  assert.partialDeepStrictEqual(done, {
    response: {
      usage: {
        input_tokens: expected,
        input_token_details: { text_tokens: expected, audio_tokens: 0 },
      },
    },
  });
});

Deno.test("Responses: a text turn, event by event", async () => {
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

Deno.test("Responses: a tool call, its output, and the spoken answer", async () => {
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

Deno.test("Responses: response.cancel ends the answer early, with partial usage", async () => {
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

Deno.test("Responses: a response cancelled before its first item has no output", async () => {
  await using call = await Call.start(MANUAL, { speed: 0.01 });
  const { client } = call;
  client.send({ type: "response.create" });
  client.send({ type: "response.cancel" });
  const events = await client.until("rate_limits.updated");
  assert.deepEqual(typesOf(events), ["response.created", "response.done", "rate_limits.updated"]);
  assert.partialDeepStrictEqual(events[1], { response: { status: "cancelled", output: [] } });
});

Deno.test("Responses: a second response at a time is an error", async () => {
  await using call = await Call.start(MANUAL);
  call.client.send({ type: "response.create", response: { metadata: { secs: "120" } } });
  const error = await call.errorOf({ type: "response.create", event_id: "second" });
  assert.partialDeepStrictEqual(error, {
    code: "conversation_already_has_active_response",
    event_id: "second",
  });
});
