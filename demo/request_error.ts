/**
 * The failure of one client event.
 *
 * @module
 */

/** Codes of `error` events, as the OpenAI Realtime API spells them. */
export type RequestErrorCode =
  | "conversation_already_has_active_response"
  | "input_audio_buffer_commit_empty"
  | "input_audio_buffer_full"
  | "invalid_json"
  | "invalid_value"
  | "item_delete_invalid_item_id"
  | "item_retrieve_invalid_item_id"
  | "item_truncate_invalid_item_id"
  | "missing_required_parameter"
  | "response_cancel_not_active";

/** Thrown by whoever cannot do what a client event asks; becomes an `error` event, and the session stays. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  /** The field at fault, as a dotted path. */
  readonly param: string | null;

  constructor(code: RequestErrorCode, message: string, options: { readonly param?: string } = {}) {
    super(message);
    this.code = code;
    this.param = options.param ?? null;
  }
}
