import assert from "node:assert/strict";
import fc from "fast-check";
import { MAX_LINE_BYTES, SseLines } from "../../src/dispatch/sse_lines.ts";

function read(...pieces: readonly string[]): readonly string[] {
  const found: string[] = [];
  const lines = new SseLines((data) => found.push(data));
  for (const piece of pieces) lines.push(new TextEncoder().encode(piece));
  lines.end();
  return found;
}

const STREAM = ': hello\nevent: a\ndata: {"a":1}\n\ndata:é\r\n\r\nid: 3\ndata: [DONE]\n\n';
const DATA = ['{"a":1}', "é", "[DONE]"];

Deno.test("SseLines finds the data lines", () => {
  assert.deepEqual(read(STREAM), DATA);
});

Deno.test("SseLines finds them however the stream is cut", () => {
  const bytes = new TextEncoder().encode(STREAM);
  fc.assert(fc.property(fc.array(fc.nat({ max: bytes.length })), (cuts) => {
    const found: string[] = [];
    const lines = new SseLines((data) => found.push(data));
    const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
    for (const [index, place] of places.slice(1).entries()) {
      lines.push(bytes.subarray(places[index], place));
    }
    lines.end();
    assert.deepEqual(found, DATA);
  }));
});

Deno.test("SseLines takes a last line without its end", () => {
  assert.deepEqual(read("data: a\nda", "ta: b"), ["a", "b"]);
});

Deno.test("SseLines passes over a line that is too long, and only that", () => {
  const longest = "x".repeat(MAX_LINE_BYTES - "data:".length);
  assert.deepEqual(read(`data:${longest}\ndata:a\n`), [longest, "a"]);
  assert.deepEqual(read(`data:${longest}`, "x\n", "data:a\n"), ["a"]);
  assert.deepEqual(read(`data:${longest}x\ndata:a\n`), ["a"]);
  assert.deepEqual(read(`data:a\ndata:${longest}x`), ["a"]);
});
