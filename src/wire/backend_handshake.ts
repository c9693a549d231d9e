/**
 * The WebSocket handshake with a backend (RFC 6455 §4.1), held to the letter: nothing is offered, so
 * nothing may be chosen.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { DialFailure } from "./dial_failure.ts";
import { encodeLatin1, hasToken } from "./request_head.ts";
import { type ResponseHead, singleHeader } from "./response_head.ts";

/** Where and as what to connect. */
export interface DialTarget {
  /** Whether TLS is used, verified against the operating system's trust store. */
  readonly secure: boolean;
  /** Host name or IP address; IPv6 without brackets. */
  readonly hostname: string;
  readonly port: number;
  /** The `Host` header. */
  readonly hostHeader: string;
  /** Path and query. */
  readonly path: string;
  /** Every header of the request besides those of the handshake. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const VISIBLE = /^[\x21-\x7e]+$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The value that proves that the server read `key` (RFC 6455 §4.2.2). */
export function acceptKey(key: string): string {
  return createHash("sha1").update(key + GUID).digest("base64");
}

/** Writes the upgrade request. @throws {TypeError} When the target would break out of its line. */
export function handshakeRequest(target: DialTarget, key: string): Uint8Array {
  if (!VISIBLE.test(target.path) || !VISIBLE.test(target.hostHeader)) {
    throw new TypeError("dial target: path and host must be visible ASCII");
  }
  const lines = [
    `GET ${target.path} HTTP/1.1`,
    `Host: ${target.hostHeader}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${key}`,
    "Sec-WebSocket-Version: 13",
  ];
  for (const [name, value] of target.headers) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) {
      throw new TypeError(`dial target: header ${JSON.stringify(name)} is not valid`);
    }
    lines.push(`${name}: ${value}`);
  }
  return encodeLatin1(lines.join("\r\n") + "\r\n\r\n");
}

/** Checks the backend's answer. @throws {DialFailure} When it is anything but a plain acceptance. */
export function checkHandshakeAnswer(answer: ResponseHead, key: string): void {
  if (answer.status !== 101) {
    throw new DialFailure("status", `the backend answered ${answer.status}`, {
      status: answer.status,
    });
  }
  const upgrade = singleHeader(answer, "upgrade");
  if (!upgrade || !hasToken(upgrade, "websocket")) throw broken("no Upgrade: websocket");
  const connections = answer.headers.filter(([name]) => name === "connection");
  if (!connections.some(([, value]) => hasToken(value, "upgrade"))) {
    throw broken("no Connection: upgrade");
  }
  if (singleHeader(answer, "sec-websocket-accept") !== acceptKey(key)) {
    throw broken("wrong Sec-WebSocket-Accept");
  }
  if (singleHeader(answer, "sec-websocket-extensions") !== undefined) {
    throw broken("an extension that was not offered");
  }
  if (singleHeader(answer, "sec-websocket-protocol") !== undefined) {
    throw broken("a subprotocol that was not offered");
  }
}

/** The 101 for our own endpoint. */
export function switchingProtocols(key: string): Uint8Array {
  return encodeLatin1(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${acceptKey(key)}\r\n\r\n`,
  );
}

function broken(what: string): DialFailure {
  return new DialFailure("handshake", `the backend's handshake is broken: ${what}`);
}
