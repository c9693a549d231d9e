import assert from "node:assert/strict";
import { httpRequestId } from "../../src/http/mod.ts";
import { UUID } from "./app_fixture.ts";

Deno.test.each(
  [
    ["a"],
    ["req_01J.x:y+z/=@-"],
    ["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    ["x".repeat(128)],
  ] as const,
)("httpRequestId() takes the sane %s", (sent) => {
  assert.equal(httpRequestId(sent), sent);
});

Deno.test.each(
  [
    ["none", null],
    ["an empty one", ""],
    ["one over 128 characters", "x".repeat(129)],
    ["one with a space", "a b"],
    ["two of them", "a, b"],
    ["one with a line break", "a\nb"],
    ["one with a line break at its end", "a\n"],
    ["one with a quotation mark", 'a"b'],
    ["one with markup", "<script>"],
    ["one with other letters", "é"],
  ] as const,
)("httpRequestId() makes its own for %s", (_what, sent) => {
  const id = httpRequestId(sent);
  assert.match(id, UUID);
  assert.notEqual(httpRequestId(sent), id);
});
