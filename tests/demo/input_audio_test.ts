import assert from "node:assert/strict";
import { tone } from "../../demo/tone.ts";
import { Call, MANUAL, silence, SPOKEN_TAIL } from "./call.ts";
import { typesOf } from "./raw_client.ts";

Deno.test("InputAudio: a detected turn is committed and answered", async () => {
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

Deno.test("InputAudio: speech over an answer cancels it", async () => {
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

Deno.test("InputAudio: turn detection that neither answers nor interrupts", async () => {
  const turn_detection = { create_response: false, interrupt_response: false };
  await using call = await Call.start({ type: "realtime", audio: { input: { turn_detection } } });
  const { client } = call;
  client.send({ type: "response.create", response: { metadata: { secs: "120" } } });
  await client.skipTo("response.output_audio.delta");
  call.append(tone(200));
  call.append(silence(200));
  client.send({ type: "response.cancel" });
  client.send({ type: "input_audio_buffer.clear" });
  const events = await client.until("input_audio_buffer.cleared");
  assert.deepEqual(typesOf(events).filter((type) => !type.endsWith(".delta")), [
    "input_audio_buffer.speech_started",
    "input_audio_buffer.speech_stopped",
    "input_audio_buffer.committed",
    "conversation.item.added",
    "conversation.item.done",
    ...SPOKEN_TAIL,
    "rate_limits.updated",
    "input_audio_buffer.cleared",
  ]);
});

Deno.test("InputAudio: transcribes a turn when asked to", async () => {
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

Deno.test("InputAudio: 99 ms are too little for a turn, 100 ms are enough", async () => {
  await using call = await Call.start(MANUAL);
  call.append(tone(99));
  assert.partialDeepStrictEqual(await call.errorOf({ type: "input_audio_buffer.commit" }), {
    code: "input_audio_buffer_commit_empty",
  });
  call.append(tone(1));
  call.client.send({ type: "input_audio_buffer.commit" });
  assert.equal((await call.client.next()).type, "input_audio_buffer.committed");
});

Deno.test("InputAudio: the input buffer is bounded", async () => {
  await using call = await Call.start(MANUAL);
  const audio = silence(60_000).toBase64();
  for (let minute = 0; minute < 2; minute++) {
    call.client.send({ type: "input_audio_buffer.append", audio });
  }
  const event = { type: "input_audio_buffer.append", audio: silence(1).toBase64() };
  assert.partialDeepStrictEqual(await call.errorOf(event), { code: "input_audio_buffer_full" });
});
