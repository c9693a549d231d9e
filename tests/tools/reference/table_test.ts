import assert from "node:assert/strict";
import { code, markdownTable, plain } from "../../../tools/reference/table.ts";

Deno.test("markdownTable: every column is as wide as its widest cell, and at least three", () => {
  const table = markdownTable(["a", "field"], [["×", code("x")], ["two", ""]]);
  assert.deepEqual(table.split("\n"), [
    "| a   | field |",
    "| --- | ----- |",
    "| ×   | `x`   |",
    "| two |       |",
    "",
  ]);
});

Deno.test("markdownTable: Hangul is two columns wide, as the formatter has it", () => {
  const table = markdownTable(["필드"], [["abcde"], ["세션 수"]]);
  assert.deepEqual(table.split("\n"), [
    "| 필드    |",
    "| ------- |",
    "| abcde   |",
    "| 세션 수 |",
    "",
  ]);
});

Deno.test.each([
  { text: "http://a:*", escaped: "http://a:\\*" },
  { text: "<host>", escaped: "\\<host>" },
  { text: "a|b", escaped: "a\\|b" },
  { text: "max_sessions × 2", escaped: "max_sessions × 2" },
])("plain: $text", ({ text, escaped }) => {
  assert.equal(plain(text), escaped);
});
