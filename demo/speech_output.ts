/**
 * A spoken answer: audio and its transcript in step.
 *
 * @module
 */

import type { ServerEvent } from "./events.ts";
import type { Item, ItemStatus, StoredItem } from "./items.ts";
import {
  announce,
  assistantMessage,
  conclude,
  type ContentPlace,
  contentPlace,
  type OutputHost,
  type ResponseOutput,
  word,
} from "./output.ts";
import { tone } from "./tone.ts";
import { spokenAudioTokens, textTokens, type TokenCount } from "./usage.ts";

/** Speaks for a given time, one word per chunk. */
export class SpeechOutput implements ResponseOutput {
  readonly #host: OutputHost;
  readonly #lengthMs: number;
  readonly #chunkMs: number;
  readonly #sampleRate: number;
  readonly #place: ContentPlace;
  #spokenMs = 0;
  #transcript = "";

  constructor(
    host: OutputHost,
    options: { readonly lengthMs: number; readonly chunkMs: number; readonly sampleRate: number },
  ) {
    this.#host = host;
    this.#lengthMs = options.lengthMs;
    this.#chunkMs = options.chunkMs;
    this.#sampleRate = options.sampleRate;
    this.#place = contentPlace(host, host.ids.next("item"));
  }

  get tokens(): TokenCount {
    return { audio: spokenAudioTokens(this.#spokenMs), text: textTokens(this.#transcript) };
  }

  *pieces(): Generator<number, void> {
    announce(this.#stored("in_progress"), this.#host);
    this.#host.emit({
      type: "response.content_part.added",
      ...this.#place,
      part: { type: "audio", transcript: "" },
    });
    for (let n = 0; this.#spokenMs < this.#lengthMs; n++) {
      const pieceMs = Math.min(this.#chunkMs, this.#lengthMs - this.#spokenMs);
      const text = word(n);
      this.#transcript += text;
      this.#spokenMs += pieceMs;
      this.#host.emit({
        type: "response.output_audio_transcript.delta",
        ...this.#place,
        delta: text,
      });
      this.#host.emit(this.delta(tone(pieceMs, { sampleRate: this.#sampleRate }).toBase64()));
      yield this.#spokenMs < this.#lengthMs ? pieceMs : 0;
    }
  }

  readonly delta = (contents: string): ServerEvent => ({
    type: "response.output_audio.delta",
    ...this.#place,
    delta: contents,
  });

  finish(status: ItemStatus): Item {
    const transcript = this.#transcript;
    this.#host.emit({ type: "response.output_audio.done", ...this.#place });
    this.#host.emit({
      type: "response.output_audio_transcript.done",
      ...this.#place,
      transcript,
    });
    this.#host.emit({
      type: "response.content_part.done",
      ...this.#place,
      part: { type: "audio", transcript },
    });
    return conclude(this.#stored(status), this.#host);
  }

  #stored(status: ItemStatus): StoredItem {
    return assistantMessage(this.#place.item_id, status, {
      part: { type: "output_audio", transcript: this.#transcript },
      clip: { durationMs: this.#spokenMs, source: "tone" },
    });
  }
}
