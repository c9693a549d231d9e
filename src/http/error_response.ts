/**
 * Errors as responses. The only place where an error meets HTTP.
 *
 * @module
 */

import { errorBody, RouterError } from "./errors.ts";

/** The error that a caller is shown for anything thrown: what is not a {@link RouterError} stays inside. */
export function toRouterError(thrown: unknown): RouterError {
  if (thrown instanceof RouterError) return thrown;
  return new RouterError("internal_error", "Internal error", { source: "internal", cause: thrown });
}

/**
 * The response for an error, with its JSON body and `x-request-id`.
 *
 * @param options `closes`: whether it ends the connection.
 */
export function errorResponse(
  error: RouterError,
  requestId: string,
  options: { readonly closes?: boolean } = {},
): Response {
  const response = Response.json(errorBody(error), {
    status: error.status,
    headers: { ...error.headers, "x-request-id": requestId },
  });
  if (options.closes === true) response.headers.append("connection", "close");
  return response;
}

/** The bytes of a whole HTTP/1.1 response for an error that is answered below the HTTP server. */
export function rawErrorResponse(error: RouterError, requestId: string): Uint8Array {
  const body = JSON.stringify(errorBody(error));
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "content-length": String(new TextEncoder().encode(body).length),
    "x-request-id": requestId,
    "connection": "close",
    ...error.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const reason = REASONS[error.status] ?? "Error";
  return new TextEncoder().encode(`HTTP/1.1 ${error.status} ${reason}\r\n${lines}\r\n${body}`);
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
  503: "Service Unavailable",
};
