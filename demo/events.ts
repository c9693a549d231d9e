/**
 * The server events of this backend, with the fields and names of the OpenAI Realtime API (GA).
 *
 * @module
 */

import type { Item } from "./items.ts";
import type { SessionConfig } from "./session_config.ts";
import type { Usage } from "./usage.ts";

/** Why a response ended the way it did. */
export type StatusDetails =
  | { readonly type: "incomplete"; readonly reason: "max_output_tokens" | "content_filter" }
  | { readonly type: "cancelled"; readonly reason: CancelReason }
  | { readonly type: "failed"; readonly error: { type: string; code: string; message: string } };

/** Who ended a response early. */
export type CancelReason = "client_cancelled" | "turn_detected";

/** How a response stands. */
export type ResponseStatus = "in_progress" | "completed" | "incomplete" | "cancelled" | "failed";

/** Usage without its details, as some backends send it. */
export type BareUsage =
  & Pick<Usage, "total_tokens" | "input_tokens" | "output_tokens">
  & { readonly input_token_details: null; readonly output_token_details: null };

/** The `response` object. `usage` is missing when the backend does not report any. */
export interface ResponseObject {
  readonly object: "realtime.response";
  readonly id: string;
  readonly status: ResponseStatus;
  readonly status_details: StatusDetails | null;
  readonly output: readonly Item[];
  readonly conversation_id: string;
  readonly output_modalities: readonly ["audio" | "text"];
  readonly max_output_tokens: number | "inf";
  readonly audio: { readonly output: { readonly format: object; readonly voice: string } };
  readonly usage?: Usage | BareUsage | null;
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** The `error` of an `error` event; `event_id` is that of the client event at fault. */
export interface ErrorDetail {
  readonly type: "invalid_request_error" | "server_error";
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly event_id: string | null;
}

/** A limit in `rate_limits.updated`. */
export interface RateLimit {
  readonly name: "requests" | "tokens";
  readonly limit: number;
  readonly remaining: number;
  readonly reset_seconds: number;
}

interface InResponse {
  readonly response_id: string;
  readonly output_index: number;
}

interface InItem extends InResponse {
  readonly item_id: string;
}

interface InContent extends InItem {
  readonly content_index: number;
}

type ResponsePart =
  | { readonly type: "audio"; readonly transcript: string }
  | { readonly type: "text"; readonly text: string };

interface Transcribed {
  readonly item_id: string;
  readonly content_index: number;
}

interface TranscriptionUsage {
  readonly type: "tokens";
  readonly total_tokens: number;
  readonly input_tokens: number;
  readonly input_token_details: { readonly text_tokens: number; readonly audio_tokens: number };
  readonly output_tokens: number;
}

interface Fields {
  "session.created": { readonly session: SessionConfig };
  "session.updated": { readonly session: SessionConfig };
  "error": { readonly error: ErrorDetail };
  "input_audio_buffer.speech_started": {
    readonly audio_start_ms: number;
    readonly item_id: string;
  };
  "input_audio_buffer.speech_stopped": { readonly audio_end_ms: number; readonly item_id: string };
  "input_audio_buffer.committed": {
    readonly previous_item_id: string | null;
    readonly item_id: string;
  };
  "input_audio_buffer.cleared": object;
  "conversation.item.added": { readonly previous_item_id: string | null; readonly item: Item };
  "conversation.item.done": { readonly previous_item_id: string | null; readonly item: Item };
  "conversation.item.retrieved": { readonly item: Item };
  "conversation.item.deleted": { readonly item_id: string };
  "conversation.item.truncated": {
    readonly item_id: string;
    readonly content_index: number;
    readonly audio_end_ms: number;
  };
  "conversation.item.input_audio_transcription.delta": Transcribed & { readonly delta: string };
  "conversation.item.input_audio_transcription.completed":
    & Transcribed
    & { readonly transcript: string; readonly usage: TranscriptionUsage };
  "response.created": { readonly response: ResponseObject };
  "response.done": { readonly response: ResponseObject };
  "response.output_item.added": InResponse & { readonly item: Item };
  "response.output_item.done": InResponse & { readonly item: Item };
  "response.content_part.added": InContent & { readonly part: ResponsePart };
  "response.content_part.done": InContent & { readonly part: ResponsePart };
  "response.output_audio.delta": InContent & { readonly delta: string };
  "response.output_audio.done": InContent;
  "response.output_audio_transcript.delta": InContent & { readonly delta: string };
  "response.output_audio_transcript.done": InContent & { readonly transcript: string };
  "response.output_text.delta": InContent & { readonly delta: string };
  "response.output_text.done": InContent & { readonly text: string };
  "response.function_call_arguments.delta":
    & InItem
    & { readonly call_id: string; readonly delta: string };
  "response.function_call_arguments.done":
    & InItem
    & { readonly call_id: string; readonly name: string; readonly arguments: string };
  "rate_limits.updated": { readonly rate_limits: readonly RateLimit[] };
}

/** A server event before it gets its `event_id`. */
export type ServerEvent = { [T in keyof Fields]: { readonly type: T } & Fields[T] }[keyof Fields];

/** A server event as it is sent. */
export type SentEvent = ServerEvent & { readonly event_id: string };

/** The `type` of a server event. */
export type ServerEventType = keyof Fields;
