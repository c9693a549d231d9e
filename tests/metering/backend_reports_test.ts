/** What backends in the field report, and what becomes of it. */

import assert from "node:assert/strict";
import type { UsageRecord } from "../../src/metering/mod.ts";
import { created, done, MeterFixture, type ResultCounts } from "./meter_fixture.ts";

interface Report {
  readonly name: string;
  readonly messages: readonly unknown[];
  readonly records: readonly Partial<UsageRecord>[];
  readonly counts: ResultCounts;
}

const RECORDED: ResultCounts = { recorded: 1 };
const NO_TOKENS = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  token_source: "none",
} as const;

/** Every message of a table takes so long. */
const STEP_MS = 40;

const REPORTS: readonly Report[] = [
  {
    name: "the reference, with every detail",
    messages: [
      created("resp_1"),
      done("resp_1", {
        object: "realtime.response",
        status: "completed",
        status_details: null,
        usage: {
          total_tokens: 253,
          input_tokens: 132,
          output_tokens: 121,
          input_token_details: {
            text_tokens: 119,
            audio_tokens: 13,
            image_tokens: 0,
            cached_tokens: 64,
            cached_tokens_details: { text_tokens: 64, audio_tokens: 0, image_tokens: 0 },
          },
          output_token_details: { text_tokens: 30, audio_tokens: 91 },
        },
      }),
    ],
    records: [{
      input_tokens: 68,
      cached_input_tokens: 64,
      output_tokens: 121,
      token_source: "engine_final",
      latency_ms: STEP_MS,
      outcome: "completed",
      status_reason: "absent",
    }],
    counts: RECORDED,
  },
  {
    name: "cached audio tokens (B62)",
    messages: [
      created("resp_1"),
      done("resp_1", {
        status: "completed",
        usage: {
          input_tokens: 1000,
          output_tokens: 50,
          input_token_details: {
            audio_tokens: 1000,
            cached_tokens: 900,
            cached_tokens_details: { audio_tokens: 900 },
          },
        },
      }),
    ],
    records: [{ input_tokens: 100, cached_input_tokens: 900, output_tokens: 50 }],
    counts: RECORDED,
  },
  {
    name: "totals only",
    messages: [
      created("resp_1"),
      done("resp_1", {
        status: "completed",
        usage: { total_tokens: 30, input_tokens: 10, output_tokens: 20 },
      }),
    ],
    records: [{
      input_tokens: 10,
      cached_input_tokens: 0,
      output_tokens: 20,
      token_source: "engine_final",
    }],
    counts: RECORDED,
  },
  {
    name: "details that are null, all zero, and status_details of a completed response",
    messages: [
      created("resp_1"),
      done("resp_1", {
        status: "completed",
        status_details: { type: "completed", reason: null, error: null },
        usage: {
          total_tokens: 0,
          input_tokens: 0,
          output_tokens: 0,
          input_token_details: null,
          output_token_details: null,
        },
      }),
    ],
    records: [{ ...NO_TOKENS, outcome: "completed", status_reason: "absent", latency_ms: STEP_MS }],
    counts: RECORDED,
  },
  {
    name: "details that are null, with tokens",
    messages: [
      done("resp_1", {
        usage: { input_tokens: 9, output_tokens: 4, input_token_details: null },
      }),
    ],
    records: [{ input_tokens: 9, cached_input_tokens: 0, output_tokens: 4, latency_ms: 0 }],
    counts: RECORDED,
  },
  {
    name: "usage left out",
    messages: [created("resp_1"), done("resp_1", { status: "completed" })],
    records: [{ ...NO_TOKENS, outcome: "completed", latency_ms: STEP_MS }],
    counts: RECORDED,
  },
  {
    name: "usage null",
    messages: [created("resp_1"), done("resp_1", { status: "completed", usage: null })],
    records: [{ ...NO_TOKENS, outcome: "completed" }],
    counts: RECORDED,
  },
  {
    name: "response.done without a response",
    messages: [
      { type: "response.audio.delta", delta: "AAAA" },
      { type: "response.done", frame_index: 17 },
    ],
    records: [{ ...NO_TOKENS, outcome: "completed", status_reason: "absent", latency_ms: 0 }],
    counts: RECORDED,
  },
  {
    name: "transcription alone, in a protocol of its own",
    messages: [
      { type: "session.created", id: "sess_1", created: 1 },
      { type: "transcription.delta", delta: "hello" },
      {
        type: "transcription.done",
        text: "hello",
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      },
    ],
    records: [],
    counts: {},
  },
  {
    name: "usage of an input transcription, which is not metered",
    messages: [{
      type: "conversation.item.input_audio_transcription.completed",
      transcript: "hello",
      usage: { type: "tokens", input_tokens: 14, output_tokens: 9, total_tokens: 23 },
    }],
    records: [],
    counts: {},
  },
  {
    name: "a whole utterance in one delta (B34)",
    messages: [
      created("resp_1"),
      { type: "response.output_audio.delta", delta: "A".repeat(320_000) },
      done("resp_1", { status: "completed", usage: { input_tokens: 3, output_tokens: 4 } }),
    ],
    records: [{ input_tokens: 3, output_tokens: 4, latency_ms: 2 * STEP_MS }],
    counts: { oversized: 1, recorded: 1 },
  },
  {
    name: "barge-in",
    messages: [
      created("resp_1"),
      done("resp_1", {
        status: "cancelled",
        status_details: { type: "cancelled", reason: "turn_detected" },
        usage: { input_tokens: 20, output_tokens: 6 },
      }),
    ],
    records: [{ outcome: "client_cancelled", status_reason: "turn_detected", output_tokens: 6 }],
    counts: RECORDED,
  },
  {
    name: "a response cancelled without usage",
    messages: [
      created("resp_1"),
      done("resp_1", { status: "cancelled", status_details: { reason: "client_cancelled" } }),
    ],
    records: [{ ...NO_TOKENS, outcome: "client_cancelled", status_reason: "client_cancelled" }],
    counts: RECORDED,
  },
  {
    name: "a response that failed without usage",
    messages: [
      created("resp_1"),
      done("resp_1", {
        status: "failed",
        status_details: {
          type: "failed",
          error: { type: "invalid_request_error", code: "model_not_found" },
        },
        output: [],
      }),
    ],
    records: [{ ...NO_TOKENS, outcome: "upstream_error", status_reason: "absent" }],
    counts: RECORDED,
  },
  {
    name: "a filtered response",
    messages: [
      done("resp_1", {
        status: "incomplete",
        status_details: { type: "incomplete", reason: "content_filter" },
      }),
    ],
    records: [{ outcome: "completed", status_reason: "content_filter" }],
    counts: RECORDED,
  },
  {
    name: "responses without ids",
    messages: [created(), done(undefined, { usage: { output_tokens: 7 } })],
    records: [{ latency_ms: 0, output_tokens: 7 }],
    counts: RECORDED,
  },
  {
    name: "an error event, and then nothing",
    messages: [{ type: "error", error: { type: "server_error", code: "server_busy" } }],
    records: [],
    counts: {},
  },
];

Deno.test.each(REPORTS)("SessionMeter: $name", ({ messages, records, counts }) => {
  const fixture = new MeterFixture();
  for (const message of messages) {
    fixture.relay(message).acceptAll();
    fixture.nowMs += STEP_MS;
  }
  fixture.meter.end(fixture.sent);
  assert.equal(fixture.records.length, records.length);
  assert.partialDeepStrictEqual(fixture.records, records);
  assert.deepEqual(fixture.counts, counts);
});
