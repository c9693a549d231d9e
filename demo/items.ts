/**
 * Conversation items: their shape on the wire, and how one is made from what a client sends.
 *
 * @module
 */

import { z } from "zod";
import { RequestError } from "./request_error.ts";
import { durationMs } from "./tone.ts";
import { heardAudioTokens, sumTokens, textTokens, type TokenCount } from "./usage.ts";

/** How far an item has come. */
export type ItemStatus = "completed" | "incomplete" | "in_progress";

/** A piece of a message. `audio` is only there in the answer to `conversation.item.retrieve`. */
export type ContentPart =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_audio"; readonly transcript: string | null; readonly audio?: string }
  | { readonly type: "input_image"; readonly image_url: string }
  | { readonly type: "output_text"; readonly text: string }
  | { readonly type: "output_audio"; readonly transcript: string; readonly audio?: string };

interface ItemBase {
  readonly id: string;
  readonly object: "realtime.item";
  readonly status: ItemStatus;
}

/** Something said or written. */
export interface MessageItem extends ItemBase {
  readonly type: "message";
  readonly role: "user" | "assistant" | "system";
  readonly content: readonly ContentPart[];
}

/** The model asks for a function to be run. */
export interface FunctionCallItem extends ItemBase {
  readonly type: "function_call";
  readonly name: string;
  readonly call_id: string;
  readonly arguments: string;
}

/** What the function returned. */
export interface FunctionCallOutputItem extends ItemBase {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: string;
}

/** An item of the conversation, as it goes on the wire. */
export type Item = MessageItem | FunctionCallItem | FunctionCallOutputItem;

/** The audio behind a content part. */
export interface Clip {
  readonly durationMs: number;
  /** A recording, the backend's own tone (made when asked for), or nothing any more. */
  readonly source: Uint8Array | "tone" | "dropped";
}

/** An item with the audio of its content parts, by index. */
export interface StoredItem {
  readonly item: Item;
  readonly clips: readonly (Clip | null)[];
}

const MAX_ID_CHARS = 64;
const id = z.string().min(1).max(MAX_ID_CHARS);
const contentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("input_text"), text: z.string() }),
  z.object({
    type: z.literal("input_audio"),
    audio: z.string(),
    transcript: z.string().nullish(),
  }),
  z.object({ type: z.literal("input_image"), image_url: z.string() }),
  z.object({ type: z.literal("output_text"), text: z.string() }),
  z.object({ type: z.literal("output_audio"), transcript: z.string().nullish() }),
]);

/** What `conversation.item.create` may carry. */
export const clientItemSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message"),
    id: id.nullish(),
    role: z.enum(["user", "assistant", "system"]),
    content: z.array(contentSchema).min(1).max(64),
  }),
  z.object({
    type: z.literal("function_call"),
    id: id.nullish(),
    name: z.string(),
    call_id: id.nullish(),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal("function_call_output"),
    id: id.nullish(),
    call_id: id,
    output: z.string(),
  }),
]);

/** An item as a client sends it. */
export type ClientItem = z.infer<typeof clientItemSchema>;

/**
 * The item a client asked to create. Identifiers the client left out come from `newId`.
 *
 * @throws {RequestError} When the audio is not base64.
 */
export function itemFromClient(
  asked: ClientItem,
  newId: (prefix: "item" | "call") => string,
): StoredItem {
  const base = {
    id: asked.id ?? newId("item"),
    object: "realtime.item",
    status: "completed",
  } as const;
  if (asked.type === "message") {
    const { type, role } = asked;
    const clips = asked.content.map((part) =>
      part.type === "input_audio" ? recordedClip(decodeAudio(part.audio)) : null
    );
    return { item: { ...base, type, role, content: asked.content.map(storedPart) }, clips };
  }
  if (asked.type === "function_call") {
    const { type, name } = asked;
    const call_id = asked.call_id ?? newId("call");
    return { item: { ...base, type, name, call_id, arguments: asked.arguments }, clips: [] };
  }
  const { type, call_id, output } = asked;
  return { item: { ...base, type, call_id, output }, clips: [] };
}

function storedPart(part: z.infer<typeof contentSchema>): ContentPart {
  if (part.type === "input_audio") return { type: part.type, transcript: part.transcript ?? null };
  if (part.type === "output_audio") return { type: part.type, transcript: part.transcript ?? "" };
  return part;
}

/** A clip of what a caller said. */
export function recordedClip(pcm: Uint8Array): Clip {
  return { durationMs: durationMs(pcm.length), source: pcm };
}

/**
 * Audio from an `audio` field.
 *
 * @throws {RequestError} When it is not base64.
 */
export function decodeAudio(base64: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    throw new RequestError("invalid_value", "Invalid value for 'audio': not base64.", {
      param: "audio",
    });
  }
}

/** What the item adds to the input of a response. */
export function itemTokens({ item, clips }: StoredItem): TokenCount {
  if (item.type === "function_call") {
    return { text: textTokens(item.name + item.arguments), audio: 0 };
  }
  if (item.type === "function_call_output") return { text: textTokens(item.output), audio: 0 };
  return sumTokens(item.content.map((part, index) => ({
    text: textTokens(readText(part)),
    audio: heardAudioTokens(clips[index]?.durationMs ?? 0),
  })));
}

/** Text the model reads; it hears what callers say and has no use for the transcript. */
function readText(part: ContentPart): string {
  if (part.type === "input_text" || part.type === "output_text") return part.text;
  return part.type === "output_audio" ? part.transcript : "";
}
