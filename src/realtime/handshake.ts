/**
 * Whether a request is a WebSocket handshake that may be answered with a 101 (RFC 6455 §4.2.1, spec §3
 * row 6). The built-in upgrade also takes POST, short keys and old versions, so it is not asked.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import { hasToken } from "../wire/mod.ts";

/** What {@link checkHandshake} looks at. */
export interface HandshakeRequest {
  readonly headers: Headers;
  /** HTTP version of the request; undefined when it did not come alone on its connection, or has a body. */
  readonly httpVersion: "1.0" | "1.1" | undefined;
}

/**
 * 16 bytes in base64: 22 digits, then padding. Only two bits of the last digit count; the example of RFC 6455 §4.1
 * itself has others set.
 */
const KEY = /^[A-Za-z0-9+/]{22}==$/;
const SUPPORTED_VERSION = "13";
const UPGRADE_HEADERS = {
  "upgrade": "websocket",
  "connection": "Upgrade",
  "sec-websocket-version": SUPPORTED_VERSION,
};

/**
 * Checks the handshake.
 *
 * @throws {RouterError} `upgrade_required` when the request is none or asks for another version,
 * `invalid_handshake` when it is broken.
 */
export function checkHandshake(request: HandshakeRequest): void {
  const { headers, httpVersion } = request;
  if (!hasToken(headers.get("upgrade") ?? "", "websocket")) {
    throw new RouterError("upgrade_required", "This endpoint speaks WebSocket", {
      headers: UPGRADE_HEADERS,
    });
  }
  if (httpVersion === undefined) throw invalid("the request must not have a body");
  if (httpVersion === "1.0") throw invalid("HTTP/1.1 is required");
  if (!hasToken(headers.get("connection") ?? "", "upgrade")) {
    throw invalid("the Connection header must name upgrade");
  }
  if (!KEY.test(headers.get("sec-websocket-key") ?? "")) {
    throw invalid("Sec-WebSocket-Key must be 16 bytes in base64");
  }
  if (headers.get("sec-websocket-version") !== SUPPORTED_VERSION) {
    throw new RouterError("upgrade_required", "WebSocket version 13 is required", {
      headers: UPGRADE_HEADERS,
    });
  }
}

/** Whether a client offers the subprotocol `realtime`, with or without spaces, on one line or several. */
export function offersRealtime(headers: Headers): boolean {
  const offered = headers.get("sec-websocket-protocol") ?? "";
  return offered.split(",").some((item) => item.trim() === "realtime");
}

function invalid(problem: string): RouterError {
  return new RouterError("invalid_handshake", `Invalid WebSocket handshake: ${problem}`);
}
