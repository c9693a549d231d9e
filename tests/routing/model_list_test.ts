import assert from "node:assert/strict";
import {
  MAX_MODEL_LIST_BYTES,
  ModelListError,
  readModelList,
} from "../../src/routing/model_list.ts";

Deno.test.each(
  [
    ["OpenAI's", '{"object":"list","data":[{"id":"a"},{"id":"b","owned_by":"x"}]}', ["a", "b"]],
    ["ollama's", '{"models":[{"name":"a:latest","model":"x"},{"name":"b"}]}', ["a:latest", "b"]],
    ["both", '{"models":[{"name":"x"}],"data":[{"id":"a"}]}', ["a"]],
    ["an empty one", '{"data":[]}', []],
    ["one with a byte order mark", '\ufeff{"data":[{"id":"a"}]}', ["a"]],
    ["other languages", '{"data":[{"id":"음성"}]}', ["음성"]],
    [
      "junk among its entries",
      '{"data":[null,1,"s",[],{},{"id":1},{"id":null},{"id":["a"]},{"name":"n"},{"id":"ok"}]}',
      ["ok"],
    ],
    ["names with control characters", '{"data":[{"id":"a\\nb"},{"id":"\\u0000"},{"id":"c"}]}', [
      "c",
    ]],
    ["data that is no list beside models", '{"data":{},"models":[{"name":"a"}]}', ["a"]],
    ["members of a prototype", '{"__proto__":{"data":[{"id":"x"}]},"data":[{"id":"a"}]}', ["a"]],
  ] as const,
)("readModelList() reads %s", async (_name, body, expected) => {
  assert.deepEqual(await readModelList(new Response(body)), expected);
});

Deno.test.each(
  [
    ["nothing", "", "the answer is not JSON"],
    ["a page", "<!doctype html>", "the answer is not JSON"],
    ["a list cut short", '{"data":[{"id":"a"}', "the answer is not JSON"],
    ["a bare list", '[{"id":"a"}]', "the answer is not a list of models"],
    ["another object", '{"status":"ok"}', "the answer is not a list of models"],
    ["null", "null", "the answer is not a list of models"],
    ["a text", '"data"', "the answer is not a list of models"],
    ["data that is null", '{"data":null}', "the answer is not a list of models"],
    ["deep brackets", "[".repeat(100_000), "the answer is not JSON"],
  ] as const,
)("readModelList() refuses %s", async (_name, body, message) => {
  await assert.rejects(
    readModelList(new Response(body)),
    (error) => error instanceof ModelListError && error.message === message,
  );
});

Deno.test("readModelList() refuses a response without a body", async () => {
  await assert.rejects(readModelList(new Response(null)), ModelListError);
});

Deno.test("readModelList() reads so many bytes and not one more, and lets go of the rest", async () => {
  const list = '{"data":[{"id":"a"}]}';
  const padded = list + " ".repeat(MAX_MODEL_LIST_BYTES - list.length);
  assert.deepEqual(await readModelList(new Response(padded)), ["a"]);
  const pulled: number[] = [];
  let cancelled = false;
  const chunk = new TextEncoder().encode(" ".repeat(64 * 1024));
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      pulled.push(chunk.length);
      controller.enqueue(chunk);
    },
    cancel: () => void (cancelled = true),
  });
  await assert.rejects(readModelList(new Response(body)), { message: "the answer is too long" });
  assert.ok(cancelled);
  assert.ok(pulled.length * chunk.length <= MAX_MODEL_LIST_BYTES + 3 * chunk.length);
});

Deno.test("readModelList() does not split letters between chunks", async () => {
  const bytes = new TextEncoder().encode('{"data":[{"id":"\u{1F3A4}é"}]}');
  const body = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
  assert.deepEqual(await readModelList(new Response(body)), ["\u{1F3A4}é"]);
});
