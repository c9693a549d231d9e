import assert from "node:assert/strict";
import fc from "fast-check";
import { SseLines } from "../../src/dispatch/sse_lines.ts";

function read(...pieces: readonly (string | Uint8Array)[]): readonly string[] {
  const found: string[] = [];
  let value: number[] = [];
  const lines = new SseLines({
    part: (bytes) => value.push(...bytes),
    end: () => {
      found.push(new TextDecoder().decode(Uint8Array.from(value)));
      value = [];
    },
  });
  for (const piece of pieces) {
    lines.push(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
  }
  lines.end();
  return found;
}

const STREAM =
  ': hello\nevent: a\ndata: {"a":1}\n\ndata:é\r\n\r\nid: 3\ndatas: x\ndata\ndata:  a\rb \r\r\ndata:\ndata: [DONE]\n\n';
const DATA = ['{"a":1}', "é", " a\rb \r", "", "[DONE]"];

Deno.test("SseLines finds the data lines", () => {
  assert.deepEqual(read(STREAM), DATA);
});

Deno.test("SseLines finds them however the stream is cut", () => {
  const bytes = new TextEncoder().encode(STREAM);
  fc.assert(fc.property(fc.array(fc.nat({ max: bytes.length })), (cuts) => {
    const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
    assert.deepEqual(
      read(...places.slice(1).map((place, index) => bytes.subarray(places[index], place))),
      DATA,
    );
  }));
});

Deno.test("SseLines takes a last line without its end", () => {
  assert.deepEqual(read("data: a\nda", "ta: b"), ["a", "b"]);
});
