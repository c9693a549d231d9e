import assert from "node:assert/strict";
import { ByteBuffer } from "../../src/dispatch/byte_buffer.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("ByteBuffer: joins pieces, however many", () => {
  const buffer = new ByteBuffer();
  const text = "0123456789".repeat(5_000);
  for (let at = 0; at < text.length; at += 7) buffer.append(bytes(text.slice(at, at + 7)));
  assert.equal(buffer.length, text.length);
  assert.equal(new TextDecoder().decode(buffer.bytes), text);
});

Deno.test("ByteBuffer: copies what it is given", () => {
  const buffer = new ByteBuffer();
  const piece = bytes("abc");
  buffer.append(piece);
  piece.fill(0);
  assert.equal(new TextDecoder().decode(buffer.bytes), "abc");
});

Deno.test("ByteBuffer.clear() forgets, and gives a large array back", () => {
  const buffer = new ByteBuffer();
  buffer.append(new Uint8Array(100_000));
  buffer.clear();
  assert.equal(buffer.length, 0);
  assert.equal(buffer.bytes.buffer.byteLength, 0);
  buffer.append(bytes("x"));
  assert.equal(new TextDecoder().decode(buffer.bytes), "x");
});
