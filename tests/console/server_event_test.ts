import assert from "node:assert/strict";
import { readServerEvent } from "../../src/console/page/talk/server_event.ts";

const read = (event: object) => readServerEvent(JSON.stringify(event));

Deno.test.each(["", "null", "[]", "{}", '{"type":1}', "no JSON"])(
  "readServerEvent() calls %j unparsed",
  (text) => assert.deepEqual(readServerEvent(text), { type: "(unparsed)", kind: "other" }),
);

Deno.test.each(["response.output_audio.delta", "response.audio.delta"])(
  "readServerEvent() finds the audio of %s",
  (type) => {
    const event = { type, delta: "AAAA", item_id: "i" };
    assert.deepEqual(read(event), { type, kind: "audio", base64: "AAAA", itemId: "i" });
  },
);

Deno.test.each([
  "response.output_audio_transcript.delta",
  "response.audio_transcript.delta",
  "response.output_text.delta",
  "response.text.delta",
])("readServerEvent() finds the words of %s", (type) => {
  assert.deepEqual(read({ type, delta: "hi" }), { type, kind: "words", text: "hi" });
});

Deno.test("readServerEvent() tells the two forms of a session apart, and reads a possible rate", () => {
  const type = "session.created";
  const session = (session: object) => read({ type, session });
  const rate = (rate: unknown) => ({ audio: { output: { format: { rate } } } });
  assert.deepEqual(session(rate(22_050)), {
    type,
    kind: "session",
    isBeta: false,
    outputRate: 22_050,
  });
  for (const wrong of [0, -1, 1e9, "24000", null]) {
    assert.deepEqual(session(rate(wrong)), {
      type,
      kind: "session",
      isBeta: false,
      outputRate: null,
    });
  }
  for (const beta of [{ modalities: ["audio"] }, { input_audio_format: "pcm16" }]) {
    assert.deepEqual(session(beta), { type, kind: "session", isBeta: true, outputRate: null });
  }
});

Deno.test("readServerEvent() reads the end of a response, also one that says nothing", () => {
  const type = "response.done";
  const usage = { input_tokens: 3, output_tokens: "x" };
  assert.deepEqual(read({ type, response: { status: "cancelled", usage } }), {
    type,
    kind: "response-done",
    status: "cancelled",
    usage: { input: 3, output: 0 },
  });
  assert.deepEqual(read({ type }), {
    type,
    kind: "response-done",
    status: "completed",
    usage: null,
  });
});

Deno.test("readServerEvent() reads errors and what it does not know", () => {
  const error = { type: "invalid_request_error", code: null, message: "no" };
  assert.deepEqual(read({ type: "error", error }), {
    type: "error",
    kind: "error",
    code: "invalid_request_error",
    message: "no",
  });
  assert.deepEqual(read({ type: "rate_limits.updated" }), {
    type: "rate_limits.updated",
    kind: "other",
  });
});
