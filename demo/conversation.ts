/**
 * The items of one session, in order, with their audio. Bounded: the oldest items go first.
 *
 * @module
 */

import type { ContentPart, Item, StoredItem } from "./items.ts";
import { itemTokens } from "./items.ts";
import { RequestError, type RequestErrorCode } from "./request_error.ts";
import { BYTES_PER_MS, tone } from "./tone.ts";
import { sumTokens, type TokenCount } from "./usage.ts";

/** What a conversation may hold. */
export interface ConversationLimits {
  /** @default {500} */
  readonly maxItems?: number;
  /** Recorded audio over all items. @default {33_554_432} (32 MiB) */
  readonly maxRecordedBytes?: number;
}

/** The conversation of one session. */
export class Conversation {
  readonly id: string;
  readonly #maxItems: number;
  readonly #maxRecordedBytes: number;
  #items: StoredItem[] = [];

  constructor(
    id: string,
    { maxItems = 500, maxRecordedBytes = 33_554_432 }: ConversationLimits = {},
  ) {
    this.id = id;
    this.#maxItems = maxItems;
    this.#maxRecordedBytes = maxRecordedBytes;
  }

  /** The newest item. */
  get last(): Item | null {
    return this.#items.at(-1)?.item ?? null;
  }

  /**
   * Adds an item of the backend's own at the end. A client's item that took its identifier has to go.
   *
   * @returns The identifier of the item before it, or null.
   */
  append(stored: StoredItem): string | null {
    this.#items = this.#items.filter(({ item }) => item.id !== stored.item.id);
    return this.add(stored);
  }

  /**
   * Adds an item after the item `after` (`root`: as the first), at the end without it.
   *
   * @returns The identifier of the item before it, or null.
   * @throws {RequestError} When `after` is unknown or the identifier is taken.
   */
  add(stored: StoredItem, { after }: { readonly after?: string | null } = {}): string | null {
    if (this.#indexOf(stored.item.id) !== -1) {
      throw new RequestError("invalid_value", "An item with this id exists already.", {
        param: "item.id",
      });
    }
    const at = this.#placeAfter(after ?? null);
    const previous = this.#items[at - 1]?.item.id ?? null;
    this.#items.splice(at, 0, stored);
    this.#keepWithinLimits();
    return previous;
  }

  /** Puts a newer state of an item in its place; nothing happens when it was deleted meanwhile. */
  replace(stored: StoredItem): void {
    const at = this.#indexOf(stored.item.id);
    if (at !== -1) this.#items[at] = stored;
  }

  /** The item with this identifier. */
  find(itemId: string): StoredItem | null {
    return this.#items[this.#indexOf(itemId)] ?? null;
  }

  /** The identifier of the item before this one. */
  previousOf(itemId: string): string | null {
    return this.#items[this.#indexOf(itemId) - 1]?.item.id ?? null;
  }

  /**
   * The item with its audio, as `conversation.item.retrieved` carries it.
   *
   * @throws {RequestError} When there is no such item.
   */
  retrieve(itemId: string): Item {
    const { item, clips } = this.#existing(itemId, "item_retrieve_invalid_item_id");
    if (item.type !== "message") return item;
    const content = item.content.map((part, index): ContentPart => {
      const source = clips[index]?.source;
      if (part.type !== "input_audio" && part.type !== "output_audio") return part;
      if (source === undefined || source === "dropped") return part;
      const pcm = source === "tone" ? tone(clips[index]?.durationMs ?? 0) : source;
      return { ...part, audio: pcm.toBase64() };
    });
    return { ...item, content };
  }

  /**
   * Takes an item out.
   *
   * @throws {RequestError} When there is no such item.
   */
  delete(itemId: string): void {
    this.#existing(itemId, "item_delete_invalid_item_id");
    this.#items.splice(this.#indexOf(itemId), 1);
  }

  /**
   * Shortens what the backend said to what the caller heard. The transcript goes, since nobody knows
   * which words that was.
   *
   * @throws {RequestError} When there is no such audio or it is shorter.
   */
  truncate(
    itemId: string,
    contentIndex: number,
    { audioEndMs }: { readonly audioEndMs: number },
  ): void {
    const { item, clips } = this.#existing(itemId, "item_truncate_invalid_item_id");
    const clip = clips[contentIndex];
    if (item.type !== "message" || item.role !== "assistant" || !clip) {
      throw new RequestError("invalid_value", "Only audio of the assistant can be truncated.", {
        param: "content_index",
      });
    }
    if (audioEndMs > clip.durationMs) {
      const message =
        `Audio content of ${clip.durationMs}ms is already shorter than ${audioEndMs}ms.`;
      throw new RequestError("invalid_value", message, { param: "audio_end_ms" });
    }
    const content = item.content.map((part, index): ContentPart =>
      index === contentIndex ? { type: "output_audio", transcript: "" } : part
    );
    this.replace({
      item: { ...item, content },
      clips: clips.with(contentIndex, { ...clip, durationMs: audioEndMs }),
    });
  }

  /** What all items together add to the input of a response. */
  tokens(): TokenCount {
    return sumTokens(this.#items.map(itemTokens));
  }

  #existing(itemId: string, code: RequestErrorCode): StoredItem {
    const stored = this.find(itemId);
    if (stored !== null) return stored;
    throw new RequestError(code, "There is no item with this id.", { param: "item_id" });
  }

  #indexOf(itemId: string): number {
    return this.#items.findIndex(({ item }) => item.id === itemId);
  }

  #placeAfter(itemId: string | null): number {
    if (itemId === null) return this.#items.length;
    if (itemId === "root") return 0;
    const at = this.#indexOf(itemId);
    if (at !== -1) return at + 1;
    throw new RequestError("invalid_value", "There is no item with this id.", {
      param: "previous_item_id",
    });
  }

  #keepWithinLimits(): void {
    if (this.#items.length > this.#maxItems) this.#items = this.#items.slice(-this.#maxItems);
    let bytes = 0;
    for (let at = this.#items.length - 1; at >= 0; at--) {
      const stored = this.#items[at];
      if (stored === undefined) continue;
      bytes += recordedBytes(stored);
      if (bytes > this.#maxRecordedBytes) this.#items[at] = withoutRecordings(stored);
    }
  }
}

function recordedBytes({ clips }: StoredItem): number {
  return clips.reduce(
    (sum, clip) => sum + (clip?.source instanceof Uint8Array ? clip.durationMs : 0),
    0,
  ) *
    BYTES_PER_MS;
}

function withoutRecordings(stored: StoredItem): StoredItem {
  const clips = stored.clips.map((clip) =>
    clip?.source instanceof Uint8Array ? { ...clip, source: "dropped" as const } : clip
  );
  return { ...stored, clips };
}
