import assert from "node:assert/strict";
import { checkClientEvent, parseMessage } from "../../demo/client_events.ts";

Deno.test.each([
  { name: "a binary message", text: null },
  { name: "half a message", text: '{"type":' },
])("parseMessage: refuses $name", ({ text }) => {
  assert.throws(() => parseMessage(text), { name: "RequestError", code: "invalid_json" });
});

Deno.test.each([
  { name: "no object", event: 7, code: "invalid_value", param: "" },
  { name: "no type", event: {}, code: "missing_required_parameter", param: "type" },
  { name: "an unknown type", event: { type: "nope" }, code: "invalid_value", param: "type" },
  {
    name: "a type of every object",
    event: { type: "toString" },
    code: "invalid_value",
    param: "type",
  },
  {
    name: "no audio",
    event: { type: "input_audio_buffer.append" },
    code: "missing_required_parameter",
    param: "audio",
  },
  {
    name: "no session",
    event: { type: "session.update" },
    code: "missing_required_parameter",
    param: "session",
  },
  {
    name: "an item of no known kind",
    event: { type: "conversation.item.create", item: { type: "picture" } },
    code: "invalid_value",
    param: "item.type",
  },
  {
    name: "an item without text",
    event: {
      type: "conversation.item.create",
      item: { type: "message", role: "user", content: [{ type: "input_text" }] },
    },
    code: "missing_required_parameter",
    param: "item.content.0.text",
  },
  {
    name: "metadata of 17 pairs",
    event: {
      type: "response.create",
      response: {
        metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, "v"])),
      },
    },
    code: "invalid_value",
    param: "response.metadata",
  },
  {
    name: "a response outside the conversation",
    event: { type: "response.create", response: { conversation: "none" } },
    code: "invalid_value",
    param: "response.conversation",
  },
])("checkClientEvent: refuses $name", ({ event, code, param }) => {
  assert.throws(() => checkClientEvent(event), { name: "RequestError", code, param });
});

Deno.test("checkClientEvent: takes null for a parameter of a response", () => {
  const response = { instructions: null, tools: null, output_modalities: null, metadata: {} };
  const event = checkClientEvent({ type: "response.create", response });
  assert.deepEqual(event, { type: "response.create", response });
});

Deno.test("checkClientEvent: takes a response.create without parameters", () => {
  const event = checkClientEvent({ type: "response.create", event_id: "e1", extra: true });
  assert.deepEqual(event, { type: "response.create", event_id: "e1" });
});
