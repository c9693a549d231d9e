/**
 * What a client says in each dialect to have two spoken turns, the second of which reads what the first
 * left behind.
 *
 * @module
 */

import type { DialectName } from "./dialects/mod.ts";
import { tone } from "./tone.ts";

/** Messages to send when the step before is over, and the kind of event that ends it. */
export interface SampleStep {
  readonly send: readonly object[];
  readonly until: string;
}

const QUESTION = {
  type: "conversation.item.create",
  item: { type: "message", role: "user", content: [{ type: "input_text", text: "Hello?" }] },
};
/** Two pieces of an answer, where answers come in pieces of 200 ms. */
const METADATA = { secs: "0.4" };
const GA_UPDATE = {
  type: "session.update",
  session: { type: "realtime", audio: { input: { turn_detection: null } } },
};
const GA_RESPONSE = { output_modalities: ["audio"], metadata: METADATA };

const GA = conversation(GA_UPDATE, GA_RESPONSE, { until: "rate_limits.updated" });
const BETA = conversation(
  { type: "session.update", session: { turn_detection: null, voice: "alloy" } },
  { modalities: ["audio", "text"], metadata: METADATA },
  { until: "rate_limits.updated" },
);
const VOICECHAT = conversation(GA_UPDATE, GA_RESPONSE, { until: "response.done" });

const TRANSCRIPTION: SampleStep = {
  send: [
    { type: "input_audio_buffer.commit" },
    { type: "input_audio_buffer.append", audio: tone(800, { sampleRate: 16_000 }).toBase64() },
    { type: "input_audio_buffer.commit", final: true },
  ],
  until: "transcription.done",
};

/** See the module. The model is `demo-voice`. */
export const SAMPLE_TURNS: Readonly<Record<DialectName, readonly SampleStep[]>> = {
  "openai": GA,
  "azure": GA,
  "vllm-omni": GA,
  "hf": GA,
  "localai": GA,
  "beta": BETA,
  "speaches": BETA,
  "voicechat": VOICECHAT,
  "vllm": [
    { send: [], until: "session.created" },
    {
      ...TRANSCRIPTION,
      send: [{ type: "session.update", model: "demo-voice" }, ...TRANSCRIPTION.send],
    },
    TRANSCRIPTION,
  ],
};

function conversation(
  update: object,
  response: object,
  { until }: { readonly until: string },
): readonly SampleStep[] {
  const turn = { send: [QUESTION, { type: "response.create", response }], until };
  return [
    { send: [], until: "session.created" },
    { send: [update], until: "session.updated" },
    turn,
    turn,
  ];
}
