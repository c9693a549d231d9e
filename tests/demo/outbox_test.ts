import assert from "node:assert/strict";
import type { Dialect } from "../../demo/dialect.ts";
import { OPENAI } from "../../demo/dialects/openai.ts";
import type { ServerEvent } from "../../demo/events.ts";
import { IdSource } from "../../demo/ids.ts";
import { Outbox } from "../../demo/outbox.ts";

const DELTA = (delta: string): ServerEvent => ({
  type: "response.output_text.delta",
  response_id: "resp_1",
  item_id: "item_1",
  output_index: 0,
  content_index: 0,
  delta,
});

function outbox(dialect: Dialect = OPENAI): { readonly box: Outbox; readonly sent: string[] } {
  const sent: string[] = [];
  const box = new Outbox({ ids: new IdSource(1), dialect, send: (text) => sent.push(text) });
  return { box, sent };
}

Deno.test("Outbox.emit: type and event_id come first", () => {
  const { box, sent } = outbox();
  box.emit({ type: "input_audio_buffer.cleared" });
  box.emit({ type: "conversation.item.deleted", item_id: "item_1" });
  assert.deepEqual(sent, [
    '{"type":"input_audio_buffer.cleared","event_id":"event_0001_0001"}',
    '{"type":"conversation.item.deleted","event_id":"event_0001_0002","item_id":"item_1"}',
  ]);
});

Deno.test.each([1_024, 1_025, 1_026, 1_027, 262_144, 262_145])(
  "Outbox.emitSized: a message of exactly %i bytes with base64 inside",
  (bytes) => {
    const { box, sent } = outbox();
    box.emitSized(DELTA, bytes);
    const [message = ""] = sent;
    assert.equal(message.length, bytes);
    assert.equal(JSON.parse(message).delta.length % 4, 0);
  },
);

Deno.test("Outbox.stop: nothing is sent any more", () => {
  const { box, sent } = outbox();
  box.stop();
  box.emit({ type: "input_audio_buffer.cleared" });
  assert.deepEqual([sent, box.stopped], [[], true]);
});

Deno.test("Outbox: a dialect may reword an event or leave it out", () => {
  const { box, sent } = outbox({
    ...OPENAI,
    wording: () => (event) =>
      event.type === "rate_limits.updated" ? null : { ...event, type: `beta.${event.type}` },
  });
  box.emit({ type: "rate_limits.updated", rate_limits: [] });
  box.emit({ type: "input_audio_buffer.cleared" });
  assert.deepEqual(sent.map((text) => JSON.parse(text).type), ["beta.input_audio_buffer.cleared"]);
});
