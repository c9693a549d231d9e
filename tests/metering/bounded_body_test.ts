import assert from "node:assert/strict";
import { readBoundedBody } from "../../src/metering/bounded_body.ts";

Deno.test.each([
  { chunks: [], expected: "" },
  { chunks: ["abc"], expected: "abc" },
  { chunks: ["ab", "cd", "ef", "gh", "ij"], expected: "abcdefghij" },
  { chunks: ["abcdefghijk"], expected: undefined },
  { chunks: ["abcdefghij", "k"], expected: undefined },
])("readBoundedBody() of $chunks with 10 bytes allowed", async ({ chunks, expected }) => {
  const body = await readBoundedBody(new Response(ReadableStream.from(encoded(chunks))), 10);
  assert.equal(body === undefined ? undefined : new TextDecoder().decode(body), expected);
});

Deno.test("readBoundedBody() of no body is empty", async () => {
  assert.deepEqual(await readBoundedBody(new Response(null), 10), new Uint8Array());
});

Deno.test("readBoundedBody() stops reading a body without end", async () => {
  let read = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      read++;
      controller.enqueue(new Uint8Array(4));
    },
    cancel: () => {
      cancelled = true;
    },
  }, { highWaterMark: 0 });
  assert.equal(await readBoundedBody(new Response(endless), 10), undefined);
  assert.equal(read, 3);
  assert.equal(cancelled, true);
});

function encoded(chunks: readonly string[]) {
  return chunks.map((chunk) => new TextEncoder().encode(chunk));
}
