/**
 * WebSocket frames out of bytes, for tests that hold them in memory.
 *
 * @module
 */

import type { RawFrame } from "./raw_peer.ts";

/** Takes bytes apart into whole frames. @throws {Error} When they end within one. */
export function decodeFrames(bytes: Uint8Array): RawFrame[] {
  const { frames, rest } = decodeWholeFrames(bytes);
  if (rest.length > 0) throw new Error("the bytes end within a frame");
  return frames;
}

/** Takes the whole frames off the front of bytes. */
export function decodeWholeFrames(
  bytes: Uint8Array,
): { readonly frames: RawFrame[]; readonly rest: Uint8Array } {
  const frames: RawFrame[] = [];
  let at = 0;
  for (;;) {
    const frame = decodeFrame(bytes.subarray(at));
    if (frame === undefined) return { frames, rest: bytes.subarray(at) };
    frames.push(frame.frame);
    at += frame.bytes;
  }
}

function decodeFrame(
  bytes: Uint8Array,
): { readonly frame: RawFrame; readonly bytes: number } | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const masked = (second & 0x80) !== 0;
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const headBytes = 2 + lengthBytes + (masked ? 4 : 0);
  if (bytes.length < headBytes) return undefined;
  const length = lengthBytes === 0
    ? short
    : bytes.subarray(2, 2 + lengthBytes).reduce((value, byte) => value * 256 + byte, 0);
  if (bytes.length < headBytes + length) return undefined;
  const payload = bytes.slice(headBytes, headBytes + length);
  if (masked) {
    const key = bytes.subarray(headBytes - 4, headBytes);
    for (let i = 0; i < length; i++) payload[i]! ^= key[i & 3]!;
  }
  const frame = {
    final: (first & 0x80) !== 0,
    reserved: (first >> 4) & 7,
    opcode: first & 0x0f,
    masked,
    payload,
  };
  return { frame, bytes: headBytes + length };
}
