/**
 * `deno run bench/metering.ts`: what metering adds to a text message of a backend's (design §5), in
 * microseconds for one call of `SessionMeter.relayed()`.
 *
 * @module
 */

import { SessionMeter } from "../src/metering/mod.ts";

const DELTA_SIZES = [300, 2_500, 13_000, 64_000, 200_000, 262_145];
const ROUNDS = 9;
/** Bytes of text that one round looks at, so that rounds take about equally long. */
const BYTES_PER_ROUND = 60_000_000;
const MAX_MESSAGES_PER_ROUND = 60_000;
/** As many different texts of a size: none is in a cache because it was just there. */
const TEXTS = 16;

for (const bytes of DELTA_SIZES) measure("audio delta", (index) => audioDelta(bytes, index));
measure("response.done", responseDone);

/** Prints the median of the rounds, and the best and the worst of them. */
function measure(name: string, textOf: (index: number) => string): void {
  const texts = Array.from({ length: TEXTS }, (_, index) => received(textOf(index)));
  const bytes = texts[0]?.length ?? 0;
  const messages = Math.min(MAX_MESSAGES_PER_ROUND, Math.ceil(BYTES_PER_ROUND / bytes));
  runRound(texts, messages);
  const micros = Array.from({ length: ROUNDS }, () => runRound(texts, messages))
    .sort((a, b) => a - b)
    .map((value) => value.toFixed(2));
  const [median, best, worst] = [micros[ROUNDS >> 1], micros[0], micros[ROUNDS - 1]];
  print(
    `${name.padEnd(14)} ${String(bytes).padStart(7)} bytes  ${median} µs  (${best} to ${worst})\n`,
  );
}

/** Microseconds a message. */
function runRound(texts: readonly string[], messages: number): number {
  const meter = newMeter();
  const beganMs = performance.now();
  for (let sequence = 1; sequence <= messages; sequence++) {
    meter.relayed(texts[sequence % TEXTS] ?? "", sequence);
    if (meter.hasPending) meter.accepted(sequence);
  }
  return (performance.now() - beganMs) * 1000 / messages;
}

function newMeter(): SessionMeter {
  return new SessionMeter({
    context: {
      requestId: crypto.randomUUID(),
      endpoint: "/v1/realtime",
      model: "voice",
      backend: "b1",
      apiKeyId: null,
      userId: null,
      organizationId: null,
    },
    sink: { record: () => {} },
    onResult: () => {},
    now: () => performance.now(),
    unixNow: Date.now,
  });
}

/** A delta of that many bytes, most of them base64. */
function audioDelta(bytes: number, index: number): string {
  const event = {
    type: "response.output_audio.delta",
    event_id: `event_${1000 + index}`,
    response_id: "resp_CQ2nVn2zYyzR5Lr4",
    item_id: "item_CQ2nVq8vS3fq1t0b",
    output_index: 0,
    content_index: 0,
    delta: "",
  };
  const room = bytes - JSON.stringify(event).length;
  return JSON.stringify({ ...event, delta: "UklGRg8/+w".repeat(room / 10 + 1).slice(0, room) });
}

/** About 1.5 KB, with usage in full. */
function responseDone(index: number): string {
  return JSON.stringify({
    type: "response.done",
    event_id: `event_${1000 + index}`,
    response: {
      object: "realtime.response",
      id: `resp_${1000 + index}`,
      status: "completed",
      status_details: null,
      output: [{
        id: "item_CQ2nVq8vS3fq1t0b",
        type: "message",
        role: "assistant",
        content: [{ type: "output_audio", transcript: "And so it goes on. ".repeat(45) }],
      }],
      usage: {
        total_tokens: 253,
        input_tokens: 132,
        output_tokens: 121,
        input_token_details: {
          text_tokens: 119,
          audio_tokens: 13,
          cached_tokens: 64,
          cached_tokens_details: { text_tokens: 64, audio_tokens: 0 },
        },
        output_token_details: { text_tokens: 30, audio_tokens: 91 },
      },
    },
  });
}

/** The text as a socket gives it: decoded from bytes, in one piece. */
function received(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text));
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
