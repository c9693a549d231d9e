/**
 * How this backend counts tokens. Nothing is estimated, so that a test can state the exact figures:
 *
 * - heard audio: 10 tokens per second, spoken audio: 20 tokens per second, text: a quarter of its
 *   length, each rounded up item by item;
 * - the input of a response is the whole context: instructions, tools and every item;
 * - cached is what the previous response of the session had as input, text and audio apart, never
 *   more than this response's input; 0 for the first response.
 *
 * @module
 */

/** Tokens of text and audio, apart. */
export interface TokenCount {
  readonly text: number;
  readonly audio: number;
}

/** The `usage` object of `response.done` on the wire. */
export interface Usage {
  readonly total_tokens: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly input_token_details: {
    readonly text_tokens: number;
    readonly audio_tokens: number;
    readonly image_tokens: number;
    readonly cached_tokens: number;
    readonly cached_tokens_details: {
      readonly text_tokens: number;
      readonly audio_tokens: number;
      readonly image_tokens: number;
    };
  };
  readonly output_token_details: { readonly text_tokens: number; readonly audio_tokens: number };
}

/** No tokens at all. */
export const NO_TOKENS: TokenCount = { text: 0, audio: 0 };

/** Tokens of a text. */
export function textTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Tokens of audio in the context of a response. */
export function heardAudioTokens(durationMs: number): number {
  return Math.ceil(durationMs / 100);
}

/** Tokens of audio that a response speaks. */
export function spokenAudioTokens(durationMs: number): number {
  return Math.ceil(durationMs / 50);
}

/** The sum of several counts. */
export function sumTokens(counts: Iterable<TokenCount>): TokenCount {
  let text = 0;
  let audio = 0;
  for (const count of counts) {
    text += count.text;
    audio += count.audio;
  }
  return { text, audio };
}

/** Builds `usage`; `cached` above `input` is cut to it. */
export function usageOf(
  tokens: { readonly input: TokenCount; readonly cached: TokenCount; readonly output: TokenCount },
): Usage {
  const { input, output } = tokens;
  const cachedText = Math.min(tokens.cached.text, input.text);
  const cachedAudio = Math.min(tokens.cached.audio, input.audio);
  const inputTokens = input.text + input.audio;
  const outputTokens = output.text + output.audio;
  return {
    total_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_token_details: {
      text_tokens: input.text,
      audio_tokens: input.audio,
      image_tokens: 0,
      cached_tokens: cachedText + cachedAudio,
      cached_tokens_details: {
        text_tokens: cachedText,
        audio_tokens: cachedAudio,
        image_tokens: 0,
      },
    },
    output_token_details: { text_tokens: output.text, audio_tokens: output.audio },
  };
}

/** What a response that never reached the model reports. */
export const ZERO_USAGE: Usage = usageOf({
  input: NO_TOKENS,
  cached: NO_TOKENS,
  output: NO_TOKENS,
});

/** Remembers what the previous response had as input. */
export class UsageMeter {
  #previousInput: TokenCount = NO_TOKENS;

  /** The usage of a response that has ended; its input is what the next one finds cached. */
  measure(input: TokenCount, output: TokenCount): Usage {
    const usage = usageOf({ input, cached: this.#previousInput, output });
    this.#previousInput = input;
    return usage;
  }
}
