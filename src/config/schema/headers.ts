/**
 * Headers that the configuration adds to requests to a backend (RFC 9110 §5).
 *
 * @module
 */

import type { z } from "zod";
import { text } from "./values.ts";

/** Headers that belong to the connection, to framing or to the WebSocket handshake: never configurable. */
const RESERVED = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The name of a configured header. */
export const headerName: z.ZodString = text(
  "a header name that is not reserved for the connection or the handshake",
  (value) => {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(value)) return "";
    const lower = value.toLowerCase();
    return RESERVED.has(lower) || lower.startsWith("sec-websocket-")
      ? "a reserved name"
      : undefined;
  },
);

/** The value of a configured header: visible ASCII, spaces and tabs inside. */
export const headerValue: z.ZodString = text(
  "a header value of printable ASCII characters",
  (value) => {
    if (value.length > 4096) return "a string of more than 4096 characters";
    if (/[\r\n]/.test(value)) return "a string with a line break";
    if (!/^[\t\x20-\x7e]*$/.test(value)) return "";
    return value.trim() === value ? undefined : "a string that begins or ends with a space";
  },
);
