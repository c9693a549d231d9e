/**
 * Close frames (RFC 6455 §5.5.1): which codes may stand in one, how one is read and written.
 *
 * @module
 */

/** A close frame's content. An empty frame has no code and no reason. */
export type CloseFrame =
  | { readonly code: number; readonly reason: string }
  | { readonly code: null; readonly reason: "" };

/** The close frame without a body. */
export const EMPTY_CLOSE: CloseFrame = { code: null, reason: "" };

/** The most bytes a reason may have: a control frame holds 125, the code takes two. */
export const MAX_REASON_BYTES = 123;

/** Why a close frame's body is not one: the code that answers it. */
export interface MalformedClose {
  readonly malformed: 1002 | 1007;
}

/**
 * Whether `code` may appear on the wire (RFC 6455 §7.4, spec §6): 1000–1003, 1007–1014 and
 * 3000–4999. 1004 is reserved; 1005, 1006 and 1015 only exist in APIs.
 */
export function isWireCloseCode(code: number): boolean {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
    (code >= 3000 && code <= 4999);
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8 = new TextEncoder();

/** Reads the unmasked body of a close frame. */
export function parseCloseBody(body: Uint8Array): CloseFrame | MalformedClose {
  if (body.length === 0) return EMPTY_CLOSE;
  if (body.length === 1) return { malformed: 1002 };
  const code = (body[0]! << 8) | body[1]!;
  if (!isWireCloseCode(code)) return { malformed: 1002 };
  try {
    return { code, reason: strictUtf8.decode(body.subarray(2)) };
  } catch {
    return { malformed: 1007 };
  }
}

/**
 * Writes a whole close frame.
 *
 * @param close What it says. A reason over {@link MAX_REASON_BYTES} is cut at a character.
 * @param options `masked`: as a client must send it (RFC 6455 §5.3), with a fresh random key.
 */
export function encodeCloseFrame(
  close: CloseFrame,
  options: { readonly masked: boolean },
): Uint8Array {
  const body = closeBody(close);
  const headerBytes = options.masked ? 6 : 2;
  const frame = new Uint8Array(headerBytes + body.length);
  frame[0] = 0x88;
  frame[1] = body.length | (options.masked ? 0x80 : 0);
  frame.set(body, headerBytes);
  if (options.masked) {
    const key = crypto.getRandomValues(frame.subarray(2, 6));
    for (let i = 0; i < body.length; i++) frame[headerBytes + i]! ^= key[i & 3]!;
  }
  return frame;
}

function closeBody(close: CloseFrame): Uint8Array {
  if (close.code === null) return new Uint8Array(0);
  const body = new Uint8Array(2 + MAX_REASON_BYTES);
  body[0] = close.code >> 8;
  body[1] = close.code & 0xff;
  const { written } = utf8.encodeInto(close.reason, body.subarray(2));
  return body.subarray(0, 2 + written);
}
