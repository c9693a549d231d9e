/**
 * Realtime and voice models that need no description in the configuration (spec §4). Names are those of
 * the vendors' own documentation or model cards; dated snapshots are found by their suffix.
 *
 * @module
 */

import { AUDIO, type ModelDescription } from "./model_entry.ts";

interface Family {
  readonly vendor: string;
  readonly capabilities: readonly string[];
  /** Canonical id, then its aliases. */
  readonly models: readonly (readonly [id: string, ...aliases: string[]])[];
}

const SPEECH = [AUDIO, "text"];
const SPEECH_AND_TOOLS = [AUDIO, "text", "tools"];
const SPEECH_VISION_AND_TOOLS = [AUDIO, "text", "vision", "tools"];

const FAMILIES: readonly Family[] = [
  {
    vendor: "NVIDIA",
    capabilities: SPEECH_AND_TOOLS,
    models: [[
      "nvidia-nemotronlabs-voicechat-11b",
      "nvidia/NVIDIA-NemotronLabs-VoiceChat-11B",
      "nemotronlabs-voicechat-11b",
    ]],
  },
  {
    vendor: "OpenAI",
    capabilities: SPEECH_VISION_AND_TOOLS,
    models: [
      ["gpt-realtime", "openai/gpt-realtime"],
      ["gpt-realtime-1.5", "openai/gpt-realtime-1.5"],
      ["gpt-realtime-2", "openai/gpt-realtime-2"],
      ["gpt-realtime-2.1", "openai/gpt-realtime-2.1"],
      ["gpt-realtime-2.1-mini", "openai/gpt-realtime-2.1-mini"],
      ["gpt-realtime-mini", "openai/gpt-realtime-mini"],
    ],
  },
  {
    vendor: "OpenAI",
    capabilities: SPEECH_AND_TOOLS,
    models: [
      ["gpt-4o-realtime-preview", "gpt-4o-realtime", "openai/gpt-4o-realtime-preview"],
      [
        "gpt-4o-mini-realtime-preview",
        "gpt-4o-mini-realtime",
        "openai/gpt-4o-mini-realtime-preview",
      ],
    ],
  },
  {
    vendor: "xAI",
    capabilities: SPEECH_AND_TOOLS,
    models: [
      ["grok-voice-latest"],
      ["grok-voice-think-fast-1.0"],
      ["grok-voice-think-fast-2.0"],
    ],
  },
  {
    vendor: "Alibaba",
    capabilities: SPEECH_VISION_AND_TOOLS,
    models: [
      ["qwen3.8-omni-flash-realtime"],
      ["qwen3.5-omni-plus-realtime"],
      ["qwen3.5-omni-flash-realtime"],
      ["qwen3-omni-flash-realtime"],
      ["qwen-omni-turbo-realtime", "qwen-omni-turbo-realtime-latest"],
      ["Qwen3-Omni-30B-A3B-Instruct", "Qwen/Qwen3-Omni-30B-A3B-Instruct"],
      ["Qwen2.5-Omni-7B", "Qwen/Qwen2.5-Omni-7B"],
      ["Qwen2.5-Omni-3B", "Qwen/Qwen2.5-Omni-3B"],
    ],
  },
  {
    vendor: "Mistral",
    capabilities: [AUDIO, "text", "transcription"],
    models: [[
      "Voxtral-Mini-4B-Realtime-2602",
      "mistralai/Voxtral-Mini-4B-Realtime-2602",
      "voxtral-mini-4b-realtime",
    ]],
  },
  {
    vendor: "Liquid AI",
    capabilities: SPEECH,
    models: [
      ["LFM2-Audio-1.5B", "LiquidAI/LFM2-Audio-1.5B"],
      ["LFM2.5-Audio-1.5B", "LiquidAI/LFM2.5-Audio-1.5B"],
    ],
  },
];

/** The lowest layer of the catalogue. */
export const BUILTIN_MODELS: readonly ModelDescription[] = FAMILIES.flatMap(
  ({ vendor, capabilities, models }) =>
    models.map(([id, ...aliases]) => ({ id, aliases, capabilities, metadata: { vendor } })),
);
