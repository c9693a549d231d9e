import assert from "node:assert/strict";
import { AnswerBody } from "../../src/dispatch/answer_body.ts";

function bodyOf(...pieces: readonly string[]): AnswerBody {
  return new AnswerBody(ReadableStream.from(pieces.map((text) => new TextEncoder().encode(text))));
}

async function rest(body: AnswerBody): Promise<readonly string[]> {
  const pieces: string[] = [];
  for (let read; !(read = await body.read()).done;) {
    pieces.push(new TextDecoder().decode(read.value));
  }
  return pieces;
}

Deno.test("AnswerBody loses nothing by waiting for the first byte", async () => {
  const body = bodyOf("", "a", "b");
  assert.ok(await body.begins());
  assert.deepEqual(await rest(body), ["a", "b"]);
});

Deno.test("AnswerBody need not be waited for", async () => {
  assert.deepEqual(await rest(bodyOf("a", "b")), ["a", "b"]);
});

Deno.test.each([[[]], [[""]]])("AnswerBody tells that no byte comes: %j", async (pieces) => {
  const body = bodyOf(...pieces);
  assert.ok(!await body.begins());
  assert.deepEqual(await rest(body), []);
});

Deno.test("AnswerBody gives nothing after it was cancelled", async () => {
  const body = bodyOf("a", "b");
  await body.begins();
  body.cancel();
  assert.deepEqual(await rest(body), []);
});
