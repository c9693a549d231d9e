/**
 * What the edge refuses before the HTTP server sees a request.
 *
 * @module
 */

/** The error code of a refusal (spec §10). */
export type EdgeRefusalCode =
  | "invalid_request"
  | "request_timeout"
  | "request_header_too_large"
  | "connection_limit_reached";

/** A refusal; `message` is shown to the client. */
export interface EdgeRefusal {
  readonly code: EdgeRefusalCode;
  readonly message: string;
}

/** Writes the whole HTTP response of a refusal, which closes the connection. */
export type RenderRefusal = (refusal: EdgeRefusal) => Uint8Array;
