import assert from "node:assert/strict";
import {
  MAX_ROWS,
  MAX_TEXT_CHARS,
  MAX_TURNS,
  reduceTalk,
} from "../../src/console/page/talk/reduce_talk.ts";
import { readServerEvent } from "../../src/console/page/talk/server_event.ts";
import { IDLE_TALK, isAnswering, type TalkAction } from "../../src/console/page/talk/talk_state.ts";

const BEGIN: readonly TalkAction[] = [{ kind: "connecting", atMs: 100 }, { kind: "open" }];
const talk = (...actions: TalkAction[]) => reduceTalk(IDLE_TALK, [...BEGIN, ...actions]);

function received(atMs: number, event: object, audioMs = 0): TalkAction {
  const text = JSON.stringify(event);
  return { kind: "received", event: readServerEvent(text), bytes: text.length, audioMs, atMs };
}

const sent = (atMs: number, type: string, bytes = 10): TalkAction => ({
  kind: "sent",
  type,
  bytes,
  atMs,
});
const asked = (atMs: number): TalkAction => ({ kind: "asked", source: "text", said: "hi", atMs });
const AUDIO = { type: "response.output_audio.delta", delta: "AA==", item_id: "i" };
const WORDS = { type: "response.output_audio_transcript.delta", delta: "one " };

Deno.test("reduceTalk() times the first audio and the end from when an answer was asked for", () => {
  const state = talk(
    asked(1_000),
    received(1_010, { type: "response.created" }),
    received(1_070, WORDS),
    received(1_080, AUDIO, 200),
    received(1_200, AUDIO, 200),
    received(1_210, WORDS),
    received(1_500, {
      type: "response.done",
      response: { status: "completed", usage: { input_tokens: 3, output_tokens: 4 } },
    }),
  );
  assert.deepEqual(state.turns, [{
    id: 1,
    source: "text",
    said: "hi",
    beganMs: 1_000,
    answer: "one one ",
    firstAudioMs: 80,
    audioMs: 400,
    lengthMs: 500,
    status: "completed",
    usage: { input: 3, output: 4 },
  }]);
  assert.equal(isAnswering(state), false);
});

Deno.test("reduceTalk() begins a turn of its own where the backend answers by itself", () => {
  const state = talk(
    received(900, { type: "input_audio_buffer.speech_started" }),
    received(1_000, { type: "input_audio_buffer.speech_stopped" }),
    received(1_020, { type: "response.created" }),
    received(1_100, AUDIO, 20),
    received(1_110, {
      type: "conversation.item.input_audio_transcription.completed",
      transcript: "hello",
    }),
  );
  const [turn, ...more] = state.turns;
  assert.deepEqual([turn?.source, turn?.said, turn?.firstAudioMs], ["detected", "hello", 100]);
  assert.deepEqual(more, []);
  assert.equal(isAnswering(state), true);
});

Deno.test("reduceTalk() counts streams in one row each, also mixed, and everything else apart", () => {
  const { rows } = talk(
    sent(110, "input_audio_buffer.append"),
    sent(120, "input_audio_buffer.append"),
    sent(130, "input_audio_buffer.commit"),
    received(140, WORDS),
    received(141, AUDIO),
    received(150, WORDS),
    received(151, AUDIO),
    sent(152, "input_audio_buffer.append"),
    received(160, { type: "response.done" }),
    received(170, WORDS),
  );
  assert.deepEqual(
    rows.map(({ direction, type, count, firstMs, lastMs }) => [
      direction,
      type,
      count,
      firstMs,
      lastMs,
    ]),
    [
      ["sent", "input_audio_buffer.append", 2, 110, 120],
      ["sent", "input_audio_buffer.commit", 1, 130, 130],
      ["received", WORDS.type, 2, 140, 150],
      ["received", AUDIO.type, 2, 141, 151],
      ["sent", "input_audio_buffer.append", 1, 152, 152],
      ["received", "response.done", 1, 160, 160],
      ["received", WORDS.type, 1, 170, 170],
    ],
  );
  assert.equal(rows[0]?.bytes, 20);
});

Deno.test("reduceTalk() does not take two single events of one type for a stream", () => {
  const { rows } = talk(sent(1, "session.update"), sent(2, "session.update"));
  assert.deepEqual(rows.map(({ id, count }) => [id, count]), [[1, 1], [2, 1]]);
});

Deno.test("reduceTalk() tells a refused connection from one that ended", () => {
  const end = { code: 1006, reason: "" };
  const refused = reduceTalk(IDLE_TALK, [BEGIN[0]!, { kind: "closed", end }]);
  assert.deepEqual([refused.phase, refused.end?.wasOpen], ["closed", false]);
  const lost = talk({ kind: "microphone", microphone: "on" }, { kind: "closed", end });
  assert.deepEqual([lost.end?.wasOpen, lost.microphone], [true, "off"]);
  const closed = talk({ kind: "closing" }, { kind: "closed", end: { code: 1000, reason: "x" } });
  assert.deepEqual(closed.end, { code: 1000, reason: "x", wasOpen: true });
});

Deno.test("reduceTalk() keeps the reason of a refusal until the next connection", () => {
  const refusal = { code: "draining", message: "later" };
  const state = talk({ kind: "refusal", ...refusal });
  assert.deepEqual(state.refusal, refusal);
  assert.equal(reduceTalk(state, [{ kind: "connecting", atMs: 1 }]).refusal, null);
});

Deno.test("reduceTalk() shows an error until the next turn", () => {
  const error = { type: "error", error: { code: "busy", message: "later" } };
  const state = talk(received(1, error));
  assert.deepEqual(state.fault, { code: "busy", message: "later" });
  assert.equal(reduceTalk(state, [asked(2)]).fault, null);
});

Deno.test("reduceTalk() takes the rate that the backend names, and no other", () => {
  const session = { audio: { output: { format: { rate: 22_050 } } } };
  const state = talk(received(1, { type: "session.created", session }));
  assert.equal(state.outputRate, 22_050);
  const next = reduceTalk(state, [received(2, { type: "session.updated", session: {} })]);
  assert.equal(next.outputRate, 22_050);
});

Deno.test("reduceTalk() starts a new connection from nothing", () => {
  const state = talk(asked(1), sent(2, "x"), { kind: "closed", end: { code: 1000, reason: "" } });
  assert.deepEqual(reduceTalk(state, [{ kind: "connecting", atMs: 9 }]), {
    ...IDLE_TALK,
    phase: "connecting",
    beganMs: 9,
  });
});

Deno.test("reduceTalk() does without a turn what belongs to none", () => {
  const state = talk(received(1, AUDIO, 20), received(2, { type: "response.done" }));
  assert.deepEqual([state.turns, state.rows.length], [[], 2]);
});

Deno.test("reduceTalk() keeps rows, turns and texts within their bounds", () => {
  const many = Array.from({ length: 1_000 }, (_, index) => index);
  const state = talk(
    ...many.map((index) => sent(index, `type-${index}`)),
    ...many.map((index) => asked(index)),
    ...many.map((index) => received(index, { ...WORDS, delta: "words ".repeat(10) })),
  );
  assert.deepEqual([state.rows.length, state.turns.length], [MAX_ROWS, MAX_TURNS]);
  assert.equal(state.turns.at(-1)?.answer.length, MAX_TEXT_CHARS);
  assert.equal(state.rows.at(-1)?.type, WORDS.type);
  assert.equal(new Set(state.rows.map(({ id }) => id)).size, MAX_ROWS);
});
