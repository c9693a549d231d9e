/**
 * What a response produces: one item, piece by piece.
 *
 * @module
 */

import type { Conversation } from "./conversation.ts";
import type { ServerEvent } from "./events.ts";
import type { IdSource } from "./ids.ts";
import type { Clip, ContentPart, Item, ItemStatus, StoredItem } from "./items.ts";
import type { TokenCount } from "./usage.ts";

/** What an output needs from its session. */
export interface OutputHost {
  readonly responseId: string;
  readonly conversation: Conversation;
  readonly ids: IdSource;
  readonly emit: (event: ServerEvent) => void;
}

/** The item of a response while it comes into being. */
export interface ResponseOutput {
  /** Emits the item piece by piece and yields how long the next piece takes, in milliseconds of conversation. */
  pieces(): Generator<number, void>;
  /** Emits the `done` events of what has been produced so far. */
  finish(status: ItemStatus): Item;
  /** What has been produced so far. */
  readonly tokens: TokenCount;
  /** A delta with these contents; null when the output has no delta that could be of any size. */
  readonly delta: ((contents: string) => ServerEvent) | null;
}

/** Where a content part of a response's only item is. */
export interface ContentPlace {
  readonly response_id: string;
  readonly item_id: string;
  readonly output_index: number;
  readonly content_index: number;
}

/** The place of the only content part of the only item of a response. */
export function contentPlace(host: OutputHost, itemId: string): ContentPlace {
  return { response_id: host.responseId, item_id: itemId, output_index: 0, content_index: 0 };
}

/** A message of the assistant; without content as long as it is in progress. */
export function assistantMessage(
  itemId: string,
  status: ItemStatus,
  said: { readonly part: ContentPart; readonly clip: Clip | null },
): StoredItem {
  const base = {
    id: itemId,
    object: "realtime.item",
    type: "message",
    status,
    role: "assistant",
  } as const;
  if (status === "in_progress") return { item: { ...base, content: [] }, clips: [] };
  return { item: { ...base, content: [said.part] }, clips: [said.clip] };
}

/** Emits the two events that announce an item, and puts it into the conversation. */
export function announce(stored: StoredItem, host: OutputHost): void {
  const { item } = stored;
  const previous_item_id = host.conversation.append(stored);
  host.emit({
    type: "response.output_item.added",
    response_id: host.responseId,
    output_index: 0,
    item,
  });
  host.emit({ type: "conversation.item.added", previous_item_id, item });
}

/** Emits the two events that end an item, and puts its last state into the conversation. */
export function conclude(stored: StoredItem, host: OutputHost): Item {
  const { item } = stored;
  host.conversation.replace(stored);
  const previous_item_id = host.conversation.previousOf(item.id);
  host.emit({ type: "conversation.item.done", previous_item_id, item });
  host.emit({
    type: "response.output_item.done",
    response_id: host.responseId,
    output_index: 0,
    item,
  });
  return item;
}

const WORDS =
  "Hello from the demo voice. What you hear is a steady tone of two hundred and twenty hertz."
    .split(" ");

/** The words of every answer, without end: the n-th piece, from 0, with its space. */
export function word(n: number): string {
  const text = WORDS[n % WORDS.length] ?? "";
  return n === 0 ? text : ` ${text}`;
}
