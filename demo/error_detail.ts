/**
 * The contents of `error` events.
 *
 * @module
 */

import type { ErrorDetail } from "./events.ts";
import { RequestError } from "./request_error.ts";

/** An error that no client event is to blame for. */
export function plainError(code: string, message: string): ErrorDetail {
  return { type: "invalid_request_error", code, message, param: null, event_id: null };
}

/** What went wrong with one client message, with the `event_id` the client gave it. */
export function errorDetail(error: unknown, message: unknown): ErrorDetail {
  const event_id = eventIdOf(message);
  if (error instanceof RequestError) {
    return { ...plainError(error.code, error.message), param: error.param, event_id };
  }
  const text = "The server had an error while processing the event.";
  return { ...plainError("server_error", text), type: "server_error", event_id };
}

function eventIdOf(message: unknown): string | null {
  if (typeof message !== "object" || message === null) return null;
  const id: unknown = Reflect.get(message, "event_id");
  return typeof id === "string" ? id : null;
}
