import assert from "node:assert/strict";
import { AUDIO, BUILTIN_MODELS, Catalogue } from "../../src/routing/mod.ts";

const catalogue = new Catalogue([BUILTIN_MODELS]);

Deno.test.each(
  [
    ["nvidia-nemotronlabs-voicechat-11b", "nvidia-nemotronlabs-voicechat-11b"],
    ["nvidia/NVIDIA-NemotronLabs-VoiceChat-11B", "nvidia-nemotronlabs-voicechat-11b"],
    ["NVIDIA/nvidia-nemotronlabs-voicechat-11b-FP8", "nvidia-nemotronlabs-voicechat-11b"],
    ["gpt-realtime", "gpt-realtime"],
    ["gpt-realtime-2025-08-28", "gpt-realtime"],
    ["gpt-realtime-1.5", "gpt-realtime-1.5"],
    ["gpt-realtime-2", "gpt-realtime-2"],
    ["gpt-realtime-2.1-mini", "gpt-realtime-2.1-mini"],
    ["gpt-realtime-mini-2025-12-15", "gpt-realtime-mini"],
    ["gpt-4o-realtime-preview-2025-06-03", "gpt-4o-realtime-preview"],
    ["gpt-4o-mini-realtime-preview-2024-12-17", "gpt-4o-mini-realtime-preview"],
    ["grok-voice-latest", "grok-voice-latest"],
    ["qwen3-omni-flash-realtime-2025-09-15", "qwen3-omni-flash-realtime"],
    ["qwen-omni-turbo-realtime-latest", "qwen-omni-turbo-realtime"],
    ["Qwen/Qwen2.5-Omni-7B-AWQ", "Qwen2.5-Omni-7B"],
    ["qwen3-omni-30b-a3b-instruct", "Qwen3-Omni-30B-A3B-Instruct"],
    ["mistralai/Voxtral-Mini-4B-Realtime-2602", "Voxtral-Mini-4B-Realtime-2602"],
    ["Voxtral-Mini-4B-Realtime-2602-MLX-4bit", "Voxtral-Mini-4B-Realtime-2602"],
    ["LiquidAI/LFM2-Audio-1.5B", "LFM2-Audio-1.5B"],
  ] as const,
)("BUILTIN_MODELS know %s as %s, with audio", (name, id) => {
  const entry = catalogue.lookup(name);
  assert.equal(entry?.id, id);
  assert.ok(entry.capabilities?.has(AUDIO));
});

Deno.test.each([["gpt-4o"], ["gpt-realtime-3"], ["qwen3-omni-flash"], ["whisper-1"]])(
  "BUILTIN_MODELS do not know %s",
  (name) => {
    assert.equal(catalogue.lookup(name), undefined);
  },
);

Deno.test("BUILTIN_MODELS use every name once, whatever its case", () => {
  const names = BUILTIN_MODELS.flatMap(({ id, aliases }) => [id, ...aliases]);
  const lower = names.map((name) => name.toLowerCase());
  assert.equal(new Set(lower).size, names.length);
});
