/**
 * A written answer.
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
import { textTokens, type TokenCount } from "./usage.ts";

/** Writes as many words as would have been spoken, at the same pace. */
export class TextOutput implements ResponseOutput {
  readonly #host: OutputHost;
  readonly #words: number;
  readonly #wordMs: number;
  readonly #place: ContentPlace;
  #text = "";

  constructor(host: OutputHost, options: { readonly words: number; readonly wordMs: number }) {
    this.#host = host;
    this.#words = options.words;
    this.#wordMs = options.wordMs;
    this.#place = contentPlace(host, host.ids.next("item"));
  }

  get tokens(): TokenCount {
    return { audio: 0, text: textTokens(this.#text) };
  }

  *pieces(): Generator<number, void> {
    announce(this.#stored("in_progress"), this.#host);
    this.#host.emit({
      type: "response.content_part.added",
      ...this.#place,
      part: { type: "text", text: "" },
    });
    for (let n = 0; n < this.#words; n++) {
      const text = word(n);
      this.#text += text;
      this.#host.emit(this.delta(text));
      yield n + 1 < this.#words ? this.#wordMs : 0;
    }
  }

  readonly delta = (contents: string): ServerEvent => ({
    type: "response.output_text.delta",
    ...this.#place,
    delta: contents,
  });

  finish(status: ItemStatus): Item {
    const text = this.#text;
    this.#host.emit({ type: "response.output_text.done", ...this.#place, text });
    this.#host.emit({
      type: "response.content_part.done",
      ...this.#place,
      part: { type: "text", text },
    });
    return conclude(this.#stored(status), this.#host);
  }

  #stored(status: ItemStatus): StoredItem {
    return assistantMessage(this.#place.item_id, status, {
      part: { type: "output_text", text: this.#text },
      clip: null,
    });
  }
}
