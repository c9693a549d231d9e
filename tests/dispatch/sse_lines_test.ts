import assert from "node:assert/strict";
import fc from "fast-check";
import { SseLines } from "../../src/dispatch/sse_lines.ts";

/** The data of each line, and an empty list where an empty line came. */
function read(...pieces: readonly (string | Uint8Array)[]): readonly (string | [])[] {
  const found: (string | [])[] = [];
  let value: number[] = [];
  const lines = new SseLines({
    part: (bytes) => value.push(...bytes),
    endLine: () => {
      found.push(new TextDecoder().decode(Uint8Array.from(value)));
      value = [];
    },
    endEvent: () => void found.push([]),
  });
  for (const piece of pieces) {
    lines.push(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
  }
  lines.end();
  return found;
}

const STREAM = ': hello\nevent: a\ndata: {"a":1}\n\ndata:é\r\n\r\nid: 3\ndatas: x\ndata\n' +
  "data:  a\rdata: b \r\rdata:\r\ndata: [DONE]\n\r\n";
const DATA = ['{"a":1}', [], "é", [], " a", "b ", [], "", "[DONE]", [], []];

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

Deno.test("SseLines finds the same whichever line ends a stream has", () => {
  const lines = ["data: a", "", ":", "data: b", "data:c", "", "", "data: d"];
  const [feeds, ...others] = ["\n", "\r", "\r\n"].map((end) => read(lines.join(end)));
  assert.deepEqual(feeds, ["a", [], "b", "c", [], [], "d", []]);
  for (const other of others) assert.deepEqual(other, feeds);
});

Deno.test("SseLines takes a last line without its end", () => {
  assert.deepEqual(read("data: a\nda", "ta: b"), ["a", "b", []]);
});
