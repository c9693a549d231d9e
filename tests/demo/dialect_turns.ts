/**
 * What comes back in every dialect from two spoken turns, in which order, and what the backend reports of it.
 *
 * @module
 */

import type { DialectName } from "../../demo/mod.ts";

/** What `SAMPLE_TURNS` of a dialect leads to. */
export interface DialectTurns {
  readonly dialect: DialectName;
  /** The kinds of all events, in order. */
  readonly types: readonly string[];
  /** The `usage` of each turn; null when there is none. */
  readonly usage: readonly [unknown, unknown];
}

const GA_TURN = [
  "conversation.item.added",
  "conversation.item.done",
  "response.created",
  "response.output_item.added",
  "conversation.item.added",
  "response.content_part.added",
];
const GA_TAIL = [
  "response.output_audio.done",
  "response.output_audio_transcript.done",
  "response.content_part.done",
  "conversation.item.done",
  "response.output_item.done",
  "response.done",
  "rate_limits.updated",
];
const BETA_TURN = [
  "conversation.item.created",
  "response.created",
  "response.output_item.added",
  "conversation.item.created",
  "response.content_part.added",
  ...repeat(2, ["response.audio_transcript.delta", "response.audio.delta"]),
  "response.audio.done",
  "response.audio_transcript.done",
  "response.content_part.done",
  "response.output_item.done",
  "response.done",
  "rate_limits.updated",
];

function repeat<T>(times: number, list: readonly T[]): readonly T[] {
  return Array.from({ length: times }, () => list).flat();
}

const CREATED = ["session.created", "session.updated"];
const GA_TYPES = [
  ...CREATED,
  ...repeat(2, [
    ...GA_TURN,
    ...repeat(2, ["response.output_audio_transcript.delta", "response.output_audio.delta"]),
    ...GA_TAIL,
  ]),
];

/** Heard text and audio, spoken audio and its transcript: 2 and 11 tokens, then 11 and 11. */
const TOTALS = [
  { total_tokens: 13, input_tokens: 2, output_tokens: 11 },
  { total_tokens: 22, input_tokens: 11, output_tokens: 11 },
] as const;
const OUTPUT_DETAILS = { output_token_details: { text_tokens: 3, audio_tokens: 8 } };
const INPUT = [
  { text_tokens: 2, audio_tokens: 0 },
  { text_tokens: 7, audio_tokens: 4 },
] as const;
const IMAGELESS = { image_tokens: 0 };
const GA_USAGE = [
  {
    ...TOTALS[0],
    input_token_details: {
      ...INPUT[0],
      ...IMAGELESS,
      cached_tokens: 0,
      cached_tokens_details: { text_tokens: 0, audio_tokens: 0, ...IMAGELESS },
    },
    ...OUTPUT_DETAILS,
  },
  {
    ...TOTALS[1],
    input_token_details: {
      ...INPUT[1],
      ...IMAGELESS,
      cached_tokens: 2,
      cached_tokens_details: { text_tokens: 2, audio_tokens: 0, ...IMAGELESS },
    },
    ...OUTPUT_DETAILS,
  },
] as const;
const UNCOUNTED = {
  total_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  input_token_details: null,
  output_token_details: null,
};
const VOICECHAT_TURN = [
  ...repeat(5, ["response.text.delta", "response.audio.delta"]),
  "response.done",
];
/** One row for each dialect. */
export const DIALECT_TURNS: readonly DialectTurns[] = [
  { dialect: "openai", types: GA_TYPES, usage: GA_USAGE },
  { dialect: "azure", types: GA_TYPES, usage: GA_USAGE },
  { dialect: "vllm-omni", types: GA_TYPES, usage: TOTALS },
  { dialect: "hf", types: GA_TYPES, usage: [UNCOUNTED, UNCOUNTED] },
  {
    dialect: "localai",

    types: [
      ...CREATED,
      ...repeat(2, [
        ...GA_TURN,
        "response.output_audio_transcript.delta",
        "response.output_audio.delta",
        ...GA_TAIL,
      ]),
    ],
    usage: [
      { total_tokens: 12, input_tokens: 2, output_tokens: 10 },
      { total_tokens: 20, input_tokens: 10, output_tokens: 10 },
    ],
  },
  {
    dialect: "beta",
    types: [...CREATED, ...repeat(2, BETA_TURN)],
    usage: [
      {
        ...TOTALS[0],
        input_token_details: { ...INPUT[0], cached_tokens: 0 },
        ...OUTPUT_DETAILS,
      },
      {
        ...TOTALS[1],
        input_token_details: { ...INPUT[1], cached_tokens: 2 },
        ...OUTPUT_DETAILS,
      },
    ],
  },
  {
    dialect: "speaches",
    types: [...CREATED, ...repeat(2, BETA_TURN)],
    usage: [null, null],
  },
  {
    dialect: "voicechat",
    types: [...CREATED, ...repeat(2, VOICECHAT_TURN)],
    usage: [null, null],
  },
  {
    dialect: "vllm",
    types: [
      "session.created",
      ...repeat(2, [...repeat(4, ["transcription.delta"]), "transcription.done"]),
    ],
    usage: [
      { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 },
      { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 },
    ],
  },
];

/** The usage that an event which ends a turn reports; undefined for other events. */
export function reportedUsage(event: { readonly type: string; readonly [field: string]: unknown }) {
  if (event.type === "transcription.done") return event["usage"];
  if (event.type !== "response.done") return undefined;
  const { response } = event;
  if (typeof response !== "object" || response === null) return null;
  return Reflect.get(response, "usage") ?? null;
}
