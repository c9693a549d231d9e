import assert from "node:assert/strict";
import {
  sessionUpdate,
  truncateItem,
  writtenItem,
} from "../../src/console/page/talk/client_event.ts";

Deno.test("sessionUpdate() speaks the form of the backend, and says who ends a turn", () => {
  const format = { type: "audio/pcm", rate: 24_000 };
  assert.deepEqual(sessionUpdate("by-hand", { isBeta: false }), {
    type: "session.update",
    session: { type: "realtime", audio: { input: { format, turn_detection: null } } },
  });
  const beta = sessionUpdate("detected", { isBeta: true });
  assert.deepEqual(beta["session"], {
    modalities: ["audio", "text"],
    input_audio_format: "pcm16",
    output_audio_format: "pcm16",
    turn_detection: { type: "server_vad" },
  });
});

Deno.test("writtenItem() and truncateItem() are events of the Realtime API", () => {
  assert.deepEqual(writtenItem("hi"), {
    type: "conversation.item.create",
    item: { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
  });
  assert.deepEqual(truncateItem({ itemId: "i", heardMs: 12 }), {
    type: "conversation.item.truncate",
    item_id: "i",
    content_index: 0,
    audio_end_ms: 12,
  });
});
