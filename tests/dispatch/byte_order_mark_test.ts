import assert from "node:assert/strict";
import { ByteOrderMark } from "../../src/dispatch/byte_order_mark.ts";

function stripped(bytes: readonly number[], cuts: readonly number[]): readonly number[] {
  const mark = new ByteOrderMark();
  const passed: number[] = [];
  const places = [0, ...cuts, bytes.length];
  for (let index = 1; index < places.length; index++) {
    const piece = Uint8Array.from(bytes.slice(places[index - 1], places[index]));
    mark.strip(piece, (part) => passed.push(...part));
  }
  return passed;
}

const MARK = [0xef, 0xbb, 0xbf];

Deno.test.each([
  { name: "a mark", bytes: [...MARK, 1, 2], text: [1, 2] },
  { name: "two marks", bytes: [...MARK, ...MARK, 1], text: [...MARK, 1] },
  { name: "a mark further on", bytes: [1, ...MARK], text: [1, ...MARK] },
  {
    name: "another letter of the same first bytes",
    bytes: [0xef, 0xbb, 0xbe],
    text: [0xef, 0xbb, 0xbe],
  },
  { name: "a mark alone", bytes: MARK, text: [] },
])("ByteOrderMark.strip(): $name, however it is cut", ({ bytes, text }) => {
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) {
      assert.deepEqual(stripped(bytes, [first, second]), text);
    }
  }
});
