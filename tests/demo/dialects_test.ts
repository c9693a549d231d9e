/** What is particular to each dialect of the demo backend (event order, usage, how it refuses). */

import assert from "node:assert/strict";
import {
  type DemoBackendOptions,
  type DialectName,
  DIALECTS,
  SAMPLE_TURNS,
  startDemoBackend,
  tone,
} from "../../demo/mod.ts";
import { MANUAL, silence } from "./call.ts";
import { DIALECT_TURNS, reportedUsage } from "./dialect_turns.ts";
import { RawClient, type ReceivedEvent, typesOf } from "./raw_client.ts";

const QUERY = "?model=demo-voice";
const TOOL = { type: "function", name: "look_up", parameters: {} };

/** A backend of a dialect; answers come at fifty times the pace of speech. */
function start(dialect: DialectName, options: DemoBackendOptions = {}) {
  return startDemoBackend({ speed: 50, ...options, dialect: DIALECTS[dialect] });
}

Deno.test("DIALECTS: each goes by its own name", () => {
  const names = Object.entries(DIALECTS).map(([key, { name }]) => [key, name]);
  assert.deepEqual(names, names.map(([key]) => [key, key]));
  assert.deepEqual(
    DIALECT_TURNS.map(({ dialect }) => dialect).toSorted(),
    Object.keys(DIALECTS).toSorted(),
  );
});

Deno.test.each(DIALECT_TURNS)("$dialect: order of events, and usage", async (turns) => {
  await using backend = await start(turns.dialect);
  await using client = await RawClient.open(backend.url + QUERY);
  const events: ReceivedEvent[] = [];
  for (const { send, until } of SAMPLE_TURNS[turns.dialect]) {
    for (const event of send) client.send(event);
    events.push(...await client.until(until));
  }
  assert.deepEqual(typesOf(events), turns.types);
  const reported = events.map(reportedUsage).filter((usage) => usage !== undefined);
  assert.deepEqual(reported, turns.usage);
});

Deno.test.each<
  { dialect: DialectName; code: string; close: number }
>([
  { dialect: "openai", code: "session_limit_reached", close: 1008 },
  { dialect: "hf", code: "session_limit_reached", close: 1008 },
  { dialect: "voicechat", code: "server_busy", close: 1013 },
])("$dialect: a session too many is told $code and closed with $close", async (row) => {
  await using backend = await start(row.dialect, { maxSessions: 1 });
  await using first = await RawClient.open(backend.url + QUERY);
  const second = await RawClient.open(backend.url + QUERY);
  assert.partialDeepStrictEqual(await second.rest(), [{
    type: "error",
    error: { code: row.code },
  }]);
  assert.equal((await second.closed).code, row.close);
  assert.equal((await first.next()).type, "session.created");
});

Deno.test("voicechat: has one session unless told otherwise", async () => {
  await using backend = await start("voicechat");
  await using _first = await RawClient.open(backend.url + QUERY);
  const second = await RawClient.open(backend.url + QUERY);
  assert.equal((await second.closed).code, 1013);
});

Deno.test.each<
  { dialect: DialectName; query: string; code: string; close: number }
>([
  { dialect: "vllm-omni", query: "?model=other", code: "unsupported_model", close: 1008 },
  { dialect: "vllm-omni", query: "", code: "unsupported_model", close: 1008 },
  { dialect: "localai", query: "?model=other", code: "invalid_model", close: 1006 },
])("$dialect: '$query' is accepted, told $code and ended with $close", async (row) => {
  await using backend = await start(row.dialect);
  const client = await RawClient.open(backend.url + row.query);
  assert.partialDeepStrictEqual(await client.rest(), [{
    type: "error",
    error: { code: row.code },
  }]);
  assert.equal((await client.closed).code, row.close);
  assert.equal(backend.upgrades[0]?.status, 101);
});

Deno.test.each<
  { dialect: DialectName; path?: string; query?: string; headers?: Record<string, string> } & {
    status: number;
  }
>([
  { dialect: "speaches", headers: { authorization: "Bearer k" }, status: 101 },
  { dialect: "speaches", headers: { "x-api-key": "k" }, status: 101 },
  { dialect: "speaches", query: `${QUERY}&api_key=k`, status: 101 },
  { dialect: "speaches", headers: { authorization: "Bearer other" }, status: 403 },
  { dialect: "speaches", query: "?api_key=k", status: 403 },
  { dialect: "azure", headers: { "api-key": "k" }, status: 101 },
  { dialect: "azure", headers: { authorization: "Bearer k" }, status: 401 },
  { dialect: "azure", path: "/v1/realtime", headers: { "api-key": "k" }, status: 404 },
  { dialect: "vllm-omni", headers: { authorization: "Bearer k" }, status: 101 },
  { dialect: "vllm-omni", headers: { "api-key": "k" }, status: 401 },
  { dialect: "hf", query: "", status: 101 },
  { dialect: "vllm", query: "", status: 101 },
])("$dialect: with $headers $path $query answers $status", async (row) => {
  await using backend = await start(row.dialect, { apiKey: "k" });
  const base = row.path === undefined ? backend.url : `ws://127.0.0.1:${backend.port}${row.path}`;
  const opening = RawClient.open(base + (row.query ?? QUERY), { headers: row.headers ?? {} });
  if (row.status === 101) await (await opening).close();
  else await assert.rejects(opening, new RegExp(`Unexpected server response: ${row.status}`));
  assert.deepEqual(backend.upgrades.map(({ status }) => status), [row.status]);
});

Deno.test("hf: completed has details, and items cannot be retrieved", async () => {
  await using backend = await start("hf");
  await using client = await RawClient.open(backend.url + QUERY);
  client.send({ type: "response.create", response: { metadata: { secs: "0.2" } } });
  assert.partialDeepStrictEqual(await client.skipTo("response.done"), {
    response: { status_details: { type: "completed", reason: null, error: null } },
  });
  client.send({ type: "conversation.item.retrieve", item_id: "item_0001_0001" });
  assert.partialDeepStrictEqual(await client.skipTo("error"), { error: { param: "type" } });
  client.send({ type: "response.create", response: { metadata: { maxtok: "1" } } });
  assert.partialDeepStrictEqual(await client.skipTo("response.done"), {
    response: { status_details: { type: "incomplete", reason: "max_output_tokens" } },
  });
});

Deno.test("localai: an answer is one delta, however long, and a usage of zero is missing", async () => {
  await using backend = await start("localai");
  await using client = await RawClient.open(backend.url + QUERY);
  client.send({ type: "response.create", response: { metadata: { secs: "5" } } });
  const events = await client.until("response.done");
  const deltas = events.filter(({ type }) => type === "response.output_audio.delta");
  assert.deepEqual(deltas.map(({ delta }) => delta), [tone(5_000).toBase64()]);
  client.send({ type: "response.create", response: { metadata: { fail: "1" } } });
  const { response } = await client.skipTo("response.done");
  assert.partialDeepStrictEqual(response, { status: "failed" });
  assert.equal(Object.hasOwn(Object(response), "usage"), false);
});

Deno.test("localai: writes word by word all the same", async () => {
  await using backend = await start("localai");
  await using client = await RawClient.open(backend.url + QUERY);
  const response = { output_modalities: ["text"], metadata: { secs: "0.4" } };
  client.send({ type: "response.create", response });
  const events = await client.until("response.done");
  const deltas = events.filter(({ type }) => type === "response.output_text.delta");
  assert.deepEqual(deltas.map(({ delta }) => delta), ["Hello", " from"]);
});

Deno.test("voicechat: hears a turn, speaks 80 ms frames at 22.05 kHz, ends without a response", async () => {
  await using backend = await start("voicechat");
  await using client = await RawClient.open(backend.url + QUERY);
  assert.partialDeepStrictEqual(await client.next(), {
    session: { audio: { output: { format: { type: "audio/pcm", rate: 22_050 } } } },
  });
  for (const pcm of [tone(400), silence(400)]) {
    client.send({ type: "input_audio_buffer.append", audio: pcm.toBase64() });
  }
  const events = await client.until("response.done");
  assert.deepEqual(typesOf(events).slice(0, 3), [
    "input_audio_buffer.speech_started",
    "input_audio_buffer.speech_stopped",
    "response.text.delta",
  ]);
  const audio = events.filter(({ type }) => type === "response.audio.delta");
  assert.deepEqual(audio[0], {
    type: "response.audio.delta",
    delta: tone(80, { sampleRate: 22_050 }).toBase64(),
    frame_index: 0,
  });
  assert.deepEqual(events.at(-1), { type: "response.done", frame_index: audio.length });
});

Deno.test("voicechat: a function call names no response and no item", async () => {
  await using backend = await start("voicechat");
  await using client = await RawClient.open(backend.url + QUERY);
  client.send({ type: "session.update", session: { ...MANUAL, tools: [TOOL] } });
  client.send({ type: "response.create" });
  assert.deepEqual(await client.skipTo("response.function_call_arguments.done"), {
    type: "response.function_call_arguments.done",
    call_id: "call_0001_0001",
    name: "look_up",
    arguments: "{}",
  });
});

Deno.test("beta: a flat session, other names of content, a function call without name", async () => {
  await using backend = await start("beta");
  await using client = await RawClient.open(backend.url + QUERY);
  const { session: created } = await client.skipTo("session.created");
  assert.partialDeepStrictEqual(created, {
    modalities: ["audio", "text"],
    input_audio_format: "pcm16",
    turn_detection: { type: "server_vad" },
  });
  client.send({
    type: "session.update",
    session: {
      modalities: ["text"],
      instructions: "Be short.",
      voice: "alloy",
      turn_detection: null,
      input_audio_transcription: { model: "whisper-1" },
      max_response_output_tokens: 9,
    },
  });
  const { session: updated } = await client.skipTo("session.updated");
  assert.partialDeepStrictEqual(updated, {
    modalities: ["text"],
    instructions: "Be short.",
    voice: "alloy",
    turn_detection: null,
    input_audio_transcription: { model: "whisper-1" },
    max_response_output_tokens: 9,
  });
  assert.equal(Object.hasOwn(Object(updated), "audio"), false);
  const history = { type: "message", role: "assistant", content: [{ type: "text", text: "Hm." }] };
  client.send({ type: "conversation.item.create", item: history });
  assert.partialDeepStrictEqual(await client.next(), {
    type: "conversation.item.created",
    item: { content: [{ type: "text", text: "Hm." }] },
  });
  client.send({ type: "response.create", response: { metadata: { secs: "0.2" } } });
  assert.partialDeepStrictEqual(await client.skipTo("response.text.done"), { text: "Hello" });
  assert.partialDeepStrictEqual(await client.skipTo("response.done"), {
    response: { modalities: ["text"], voice: "alloy", output: [{ content: [{ type: "text" }] }] },
  });
  client.send({ type: "response.create", response: { tools: [TOOL] } });
  const call = await client.skipTo("response.function_call_arguments.done");
  assert.partialDeepStrictEqual(call, { arguments: "{}" });
  assert.equal(Object.hasOwn(call, "name"), false);
});

Deno.test("vllm: words appear before the last commit, and only then comes the whole", async () => {
  await using backend = await start("vllm", { now: () => 1_000_999 });
  await using client = await RawClient.open(backend.url + QUERY);
  assert.deepEqual(await client.next(), {
    type: "session.created",
    id: "sess-0001-0001",
    created: 1_000,
  });
  client.send({ type: "session.update", model: "demo-voice" });
  const audio = tone(400, { sampleRate: 16_000 }).toBase64();
  client.send({ type: "input_audio_buffer.append", audio });
  client.send({ type: "input_audio_buffer.commit" });
  assert.deepEqual(
    [await client.next(), await client.next()].map(({ delta }) => delta),
    ["Hello", " from"],
  );
  client.send({ type: "input_audio_buffer.append", audio });
  client.send({ type: "input_audio_buffer.commit", final: true });
  const rest = await client.until("transcription.done");
  assert.deepEqual(rest.map(({ delta }) => delta), [" the", " demo", undefined]);
  assert.deepEqual(rest.at(-1), {
    type: "transcription.done",
    text: "Hello from the demo",
    usage: { prompt_tokens: 8, total_tokens: 13, completion_tokens: 5 },
  });
});

Deno.test("vllm: audio that comes after the first commit is written without another", async () => {
  await using backend = await start("vllm");
  await using client = await RawClient.open(backend.url + QUERY);
  await client.skipTo("session.created");
  // No name is refused.
  client.send({ type: "session.update", model: "other" });
  client.send({ type: "input_audio_buffer.commit" });
  const audio = tone(200, { sampleRate: 16_000 }).toBase64();
  client.send({ type: "input_audio_buffer.append", audio });
  assert.equal((await client.next())["delta"], "Hello");
  client.send({ type: "input_audio_buffer.append", audio });
  assert.equal((await client.next())["delta"], " from");
  client.send({ type: "input_audio_buffer.commit", final: true });
  assert.equal((await client.next())["text"], "Hello from");
});

Deno.test.each([
  { event: { type: "input_audio_buffer.commit" }, code: "model_not_validated" },
  { event: { type: "session.update" }, code: "processing_error" },
  { event: { type: "input_audio_buffer.append", audio: "" }, code: "invalid_audio" },
  { event: { type: "input_audio_buffer.append", audio: "*" }, code: "invalid_audio" },
  { event: { type: "input_audio_buffer.append" }, code: "processing_error" },
  { event: {}, code: "unknown_event" },
  { event: [], code: "processing_error" },
  { event: { type: "response.create" }, code: "unknown_event" },
])("vllm: $event is the error $code", async ({ event, code }) => {
  await using backend = await start("vllm");
  await using client = await RawClient.open(backend.url + QUERY);
  await client.skipTo("session.created");
  client.send(event);
  const error = await client.next();
  assert.deepEqual([error.type, typeof error["error"], error["code"]], ["error", "string", code]);
});
