/**
 * What the talk sends: client events of the Realtime API.
 *
 * @module
 */

import { SAMPLE_RATE } from "../audio/pcm.ts";

/** An event, as it is sent. */
export interface ClientEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Who says when a turn is over: the person, or the backend by listening. */
export type TurnEnds = "by-hand" | "detected";

/** The settings of the session, in the form that the backend's own `session.created` has. */
export function sessionUpdate(
  turnEnds: TurnEnds,
  { isBeta }: { readonly isBeta: boolean },
): ClientEvent {
  const turn_detection = turnEnds === "detected" ? { type: "server_vad" } : null;
  const type = "session.update";
  if (isBeta) {
    const formats = { input_audio_format: "pcm16", output_audio_format: "pcm16" };
    return { type, session: { modalities: ["audio", "text"], ...formats, turn_detection } };
  }
  const format = { type: "audio/pcm", rate: SAMPLE_RATE };
  return { type, session: { type: "realtime", audio: { input: { format, turn_detection } } } };
}

/** A piece of what is said. */
export function appendAudio(base64: string): ClientEvent {
  return { type: "input_audio_buffer.append", audio: base64 };
}

/** What was said is all of the turn. */
export const COMMIT: ClientEvent = { type: "input_audio_buffer.commit" };
/** Asks for an answer. */
export const ANSWER: ClientEvent = { type: "response.create" };
/** Ends the answer under way. */
export const CANCEL: ClientEvent = { type: "response.cancel" };

/** Something written. */
export function writtenItem(text: string): ClientEvent {
  const content = [{ type: "input_text", text }];
  return { type: "conversation.item.create", item: { type: "message", role: "user", content } };
}

/** Tells how much of an answer was heard. */
export function truncateItem(item: {
  readonly itemId: string;
  readonly heardMs: number;
}): ClientEvent {
  const { itemId: item_id, heardMs: audio_end_ms } = item;
  return { type: "conversation.item.truncate", item_id, content_index: 0, audio_end_ms };
}
