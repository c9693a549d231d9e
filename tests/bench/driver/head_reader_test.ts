import assert from "node:assert/strict";
import { HeadReader } from "../../../bench/driver/head_reader.ts";
import { linesOf } from "../../../bench/driver/lines.ts";

const HEAD = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n";

Deno.test("HeadReader: finds the end of a head wherever it is cut", () => {
  const bytes = new TextEncoder().encode(`${HEAD}rest`);
  for (let cut = 0; cut <= HEAD.length; cut++) {
    const reader = new HeadReader();
    const first = reader.take(bytes, cut);
    if (cut === HEAD.length) assert.equal(first, HEAD.length);
    else {
      assert.equal(first, undefined);
      const rest = bytes.subarray(cut);
      assert.equal(reader.take(rest, rest.length), HEAD.length - cut);
    }
    assert.equal(reader.text, HEAD);
  }
});

Deno.test("HeadReader: refuses a head without an end", () => {
  const bytes = new Uint8Array(17 * 1024).fill(97);
  assert.throws(() => new HeadReader().take(bytes, bytes.length), RangeError);
});

Deno.test("linesOf: complete lines, however they are cut", async () => {
  const pieces = ["on", "e\ntwo\nth", "ree\n", "not complete"];
  const stream = ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)));
  assert.deepEqual(await Array.fromAsync(linesOf(stream)), ["one", "two", "three"]);
});
