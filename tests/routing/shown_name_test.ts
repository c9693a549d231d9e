import assert from "node:assert/strict";
import { shownName } from "../../src/routing/mod.ts";

Deno.test.each(
  [
    ["m", "m"],
    ["org/Model 7B:q4", "org/Model 7B:q4"],
    ["한국어-모델", "한국어-모델"],
    ["a\r\nb\u0000c\u001b[31m", "abc[31m"],
    ["a\u202eb\u200bc\u2028d\ufeff", "abcd"],
    ["a\ud800b", "ab"],
    ["😀", "😀"],
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), "x".repeat(200) + "…"],
    ["😀".repeat(200), "😀".repeat(200)],
    ["😀".repeat(201), "😀".repeat(200) + "…"],
    ["x" + "\u0000".repeat(2000), "x…"],
  ] as const,
)("shownName() case %#", (name, expected) => {
  assert.equal(shownName(name), expected);
});
