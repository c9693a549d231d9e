import assert from "node:assert/strict";
import { initialSession, updatedSession } from "../../demo/session_config.ts";

const INITIAL = initialSession({ id: "sess_1", model: "demo-voice", expiresAtS: 1_800_000_000 });

Deno.test("initialSession: listens by itself, speaks, and has no tools", () => {
  assert.partialDeepStrictEqual(INITIAL, {
    type: "realtime",
    id: "sess_1",
    model: "demo-voice",
    expires_at: 1_800_000_000,
    output_modalities: ["audio"],
    tools: [],
    audio: { input: { turn_detection: { type: "server_vad", silence_duration_ms: 200 } } },
  });
});

Deno.test.each([
  {
    name: "null overwrites",
    change: { audio: { input: { turn_detection: null } } },
    expected: { audio: { input: { turn_detection: null, transcription: null } } },
  },
  {
    name: "objects are merged",
    change: { audio: { output: { voice: "cedar" } } },
    expected: { audio: { output: { voice: "cedar", format: { type: "audio/pcm" } } } },
  },
  {
    name: "lists are replaced",
    change: { tools: [{ type: "function", name: "look" }] },
    expected: { tools: [{ type: "function", name: "look" }] },
  },
  {
    name: "unknown fields are kept",
    change: { future: { field: 1 } },
    expected: { future: { field: 1 } },
  },
  {
    name: "the identity and the model stay",
    change: { id: "mine", model: "other", expires_at: 1 },
    expected: { id: "sess_1", model: "demo-voice", expires_at: 1_800_000_000 },
  },
  {
    name: "another kind of turn detection replaces",
    change: { audio: { input: { turn_detection: { type: "semantic_vad" } } } },
    expected: {
      audio: { input: { turn_detection: { type: "semantic_vad", eagerness: "auto" } } },
    },
  },
])("updatedSession: $name", ({ change, expected }) => {
  assert.partialDeepStrictEqual(updatedSession(INITIAL, { type: "realtime", ...change }), expected);
});

Deno.test("updatedSession: the fields of the replaced turn detection are gone", () => {
  const change = {
    type: "realtime",
    audio: { input: { turn_detection: { type: "semantic_vad" } } },
  };
  const { turn_detection } = updatedSession(INITIAL, change).audio.input;
  assert.equal(turn_detection !== null && "silence_duration_ms" in turn_detection, false);
});

Deno.test("updatedSession: leaves the session it starts from alone", () => {
  const before = structuredClone(INITIAL);
  updatedSession(INITIAL, { type: "realtime", instructions: "Be brief." });
  assert.deepEqual(INITIAL, before);
});

Deno.test("updatedSession: __proto__ in the JSON changes no prototype", () => {
  const change: Record<string, unknown> = JSON.parse(
    `{"type":"realtime","__proto__":{"polluted":true},"audio":{"__proto__":{"polluted":true}}}`,
  );
  updatedSession(INITIAL, change);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

Deno.test.each([
  { change: {}, code: "missing_required_parameter", param: "session.type" },
  { change: { type: "transcription" }, code: "missing_required_parameter", param: "session.type" },
  {
    change: { type: "realtime", output_modalities: ["audio", "text"] },
    code: "invalid_value",
    param: "session.output_modalities",
  },
  {
    change: { type: "realtime", audio: { input: { format: { type: "audio/pcmu" } } } },
    code: "invalid_value",
    param: "session.audio.input.format.type",
  },
  {
    change: { type: "realtime", audio: { input: { turn_detection: { silence_duration_ms: 5 } } } },
    code: "invalid_value",
    param: "session.audio.input.turn_detection.silence_duration_ms",
  },
  {
    change: { type: "realtime", instructions: 7 },
    code: "invalid_value",
    param: "session.instructions",
  },
  {
    change: { type: "realtime", instructions: "x".repeat(1_100_000) },
    code: "invalid_value",
    param: "session",
  },
])("updatedSession: refuses $param", ({ change, code, param }) => {
  assert.throws(() => updatedSession(INITIAL, change), { name: "RequestError", code, param });
});
