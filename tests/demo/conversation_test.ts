import assert from "node:assert/strict";
import { Conversation } from "../../demo/conversation.ts";
import { itemFromClient, recordedClip, type StoredItem } from "../../demo/items.ts";
import { BYTES_PER_MS, tone } from "../../demo/tone.ts";

function text(id: string, words = "words"): StoredItem {
  const content = [{ type: "input_text" as const, text: words }];
  return itemFromClient(
    { type: "message", role: "user", id, content },
    (prefix) => `${prefix}_new`,
  );
}

function heard(id: string, ms: number): StoredItem {
  const item = {
    id,
    object: "realtime.item",
    type: "message",
    status: "completed",
    role: "user",
    content: [{ type: "input_audio", transcript: null }],
  } as const;
  return { item, clips: [recordedClip(new Uint8Array(ms * BYTES_PER_MS))] };
}

function spoken(id: string, ms: number): StoredItem {
  const item = {
    id,
    object: "realtime.item",
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_audio", transcript: "Hello from" }],
  } as const;
  return { item, clips: [{ durationMs: ms, source: "tone" }] };
}

Deno.test("Conversation.add: at the end, after an item, or first", () => {
  const conversation = new Conversation("conv");
  assert.equal(conversation.add(text("a")), null);
  assert.equal(conversation.add(text("b")), "a");
  assert.equal(conversation.add(text("c"), { after: "a" }), "a");
  assert.equal(conversation.add(text("d"), { after: "root" }), null);
  assert.deepEqual(["d", "a", "c", "b"].map((id) => conversation.previousOf(id)), [
    null,
    "d",
    "a",
    "c",
  ]);
  assert.equal(conversation.last?.id, "b");
});

Deno.test("Conversation.add: refuses a taken id and an unknown place", () => {
  const conversation = new Conversation("conv");
  conversation.add(text("a"));
  assert.throws(() => conversation.add(text("a")), { code: "invalid_value", param: "item.id" });
  assert.throws(() => conversation.add(text("b"), { after: "z" }), {
    code: "invalid_value",
    param: "previous_item_id",
  });
});

Deno.test("Conversation.append: a client's item with the same id has to go", () => {
  const conversation = new Conversation("conv");
  conversation.add(text("a"));
  conversation.add(text("b"));
  assert.equal(conversation.append(spoken("a", 100)), "b");
  assert.equal(conversation.last?.id, "a");
});

Deno.test("Conversation.retrieve: gives recordings and the tone as base64", () => {
  const conversation = new Conversation("conv");
  conversation.add(heard("a", 200));
  conversation.add(spoken("b", 400));
  assert.partialDeepStrictEqual(conversation.retrieve("a"), {
    content: [{ type: "input_audio", audio: new Uint8Array(9_600).toBase64() }],
  });
  assert.partialDeepStrictEqual(conversation.retrieve("b"), {
    content: [{ type: "output_audio", transcript: "Hello from", audio: tone(400).toBase64() }],
  });
});

Deno.test("Conversation.truncate: cuts the audio and drops the transcript", () => {
  const conversation = new Conversation("conv");
  conversation.add(spoken("a", 400));
  assert.deepEqual(conversation.tokens(), { text: 3, audio: 4 });
  conversation.truncate("a", 0, { audioEndMs: 150 });
  assert.partialDeepStrictEqual(conversation.retrieve("a"), {
    content: [{ transcript: "", audio: tone(150).toBase64() }],
  });
  assert.deepEqual(conversation.tokens(), { text: 0, audio: 2 });
});

Deno.test("Conversation.truncate: only audio of the assistant, and not beyond its end", () => {
  const conversation = new Conversation("conv");
  conversation.add(heard("user", 400));
  conversation.add(spoken("voice", 400));
  assert.throws(() => conversation.truncate("user", 0, { audioEndMs: 1 }), {
    param: "content_index",
  });
  assert.throws(() => conversation.truncate("voice", 1, { audioEndMs: 1 }), {
    param: "content_index",
  });
  assert.throws(() => conversation.truncate("voice", 0, { audioEndMs: 401 }), {
    param: "audio_end_ms",
  });
});

Deno.test.each([
  {
    name: "retrieve",
    code: "item_retrieve_invalid_item_id",
    ask: (conversation: Conversation) => conversation.retrieve("z"),
  },
  {
    name: "delete",
    code: "item_delete_invalid_item_id",
    ask: (conversation: Conversation) => conversation.delete("z"),
  },
  {
    name: "truncate",
    code: "item_truncate_invalid_item_id",
    ask: (conversation: Conversation) => conversation.truncate("z", 0, { audioEndMs: 1 }),
  },
])("Conversation.$name: an unknown id is $code", ({ code, ask }) => {
  assert.throws(() => ask(new Conversation("conv")), { code, param: "item_id" });
});

Deno.test("Conversation.delete: the item no longer counts, and late changes do not bring it back", () => {
  const conversation = new Conversation("conv");
  conversation.add(text("a", "twelve chars"));
  conversation.add(text("b", "four"));
  conversation.delete("a");
  conversation.replace(text("a"));
  assert.deepEqual(conversation.tokens(), { text: 1, audio: 0 });
  assert.equal(conversation.find("a"), null);
});

Deno.test("Conversation: the oldest items go, and the oldest recordings before that", () => {
  const conversation = new Conversation("conv", { maxItems: 3, maxRecordedBytes: 20_000 });
  for (const id of ["a", "b", "c", "d"]) conversation.add(heard(id, 200));
  assert.equal(conversation.find("a"), null);
  assert.equal(conversation.find("b")?.clips[0]?.source, "dropped");
  assert.equal(conversation.find("c")?.clips[0]?.source instanceof Uint8Array, true);
  assert.partialDeepStrictEqual(conversation.retrieve("b"), {
    content: [{ type: "input_audio", transcript: null }],
  });
  assert.deepEqual(conversation.tokens(), { text: 0, audio: 6 });
});
