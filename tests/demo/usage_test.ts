import assert from "node:assert/strict";
import {
  heardAudioTokens,
  spokenAudioTokens,
  sumTokens,
  textTokens,
  UsageMeter,
  usageOf,
} from "../../demo/usage.ts";

Deno.test("token counts: round up", () => {
  assert.deepEqual([textTokens(""), textTokens("a"), textTokens("abcd"), textTokens("abcde")], [
    0,
    1,
    1,
    2,
  ]);
  assert.deepEqual([heardAudioTokens(1_000), heardAudioTokens(1_001)], [10, 11]);
  assert.deepEqual([spokenAudioTokens(1_000), spokenAudioTokens(1_001)], [20, 21]);
  assert.deepEqual(sumTokens([{ text: 1, audio: 2 }, { text: 3, audio: 4 }]), {
    text: 4,
    audio: 6,
  });
});

Deno.test("UsageMeter.measure: the previous response's input is cached, text and audio apart", () => {
  const meter = new UsageMeter();
  const first = meter.measure({ text: 5, audio: 10 }, { text: 3, audio: 20 });
  const second = meter.measure({ text: 9, audio: 40 }, { text: 1, audio: 0 });
  assert.deepEqual(first, {
    total_tokens: 38,
    input_tokens: 15,
    output_tokens: 23,
    input_token_details: {
      text_tokens: 5,
      audio_tokens: 10,
      image_tokens: 0,
      cached_tokens: 0,
      cached_tokens_details: { text_tokens: 0, audio_tokens: 0, image_tokens: 0 },
    },
    output_token_details: { text_tokens: 3, audio_tokens: 20 },
  });
  assert.equal(second.input_tokens, 49);
  assert.equal(second.input_token_details.cached_tokens, 15);
  assert.deepEqual(second.input_token_details.cached_tokens_details, {
    text_tokens: 5,
    audio_tokens: 10,
    image_tokens: 0,
  });
});

Deno.test("usageOf: cached never exceeds the input, even when the context has shrunk", () => {
  const usage = usageOf({
    input: { text: 2, audio: 7 },
    cached: { text: 5, audio: 6 },
    output: { text: 0, audio: 0 },
  });
  assert.deepEqual(usage.input_token_details.cached_tokens_details, {
    text_tokens: 2,
    audio_tokens: 6,
    image_tokens: 0,
  });
  assert.equal(usage.input_token_details.cached_tokens, 8);
});
