import assert from "node:assert/strict";
import { list, paragraph, table } from "../../../bench/report/markdown.ts";
import { shown, times } from "../../../bench/report/units.ts";

Deno.test("table: columns are as wide as their widest cells, and at least three", () => {
  assert.equal(
    table(["load", "x"], [["µs", "1"], ["a longer one", "2"]]),
    "| load         | x   |\n| ------------ | --- |\n| µs           | 1   |\n| a longer one | 2   |\n",
  );
});

Deno.test("paragraph: breaks between words, at 100 characters at most", () => {
  const lines = paragraph("word ".repeat(60)).trimEnd().split("\n");
  assert.deepEqual(lines.map((line) => line.length), [99, 99, 99]);
  assert.equal(paragraph(`${"a".repeat(99)} b`), `${"a".repeat(99)}\nb\n`);
  assert.equal(paragraph(`${"a".repeat(98)} b`), `${"a".repeat(98)} b\n`);
});

Deno.test("paragraph: does not break code", () => {
  assert.equal(
    paragraph(`${"a".repeat(90)} (\`deno task bench\`).`),
    `${"a".repeat(90)}\n(\`deno task bench\`).\n`,
  );
});

Deno.test("list: the lines of an item stand below its first word", () => {
  assert.equal(list(["one", `${"a".repeat(97)} b`]), `- one\n- ${"a".repeat(97)}\n  b\n`);
});

Deno.test("shown: units of readers, and a dash for what was not measured", () => {
  assert.equal(shown("messagesPerSecond", 123_456.7), "123,457");
  assert.equal(shown("residentBytesPerSession", 2048), "2");
  assert.equal(shown("p50Ms", 0.3149), "0.31");
  assert.equal(shown("p50Ms", 44.21), "44.2");
  assert.equal(shown("p50Ms", undefined), "–");
  assert.equal(shown("p50Ms", NaN), "–");
});

Deno.test("times: two digits below ten, none above", () => {
  assert.deepEqual([times(1.234), times(44.2), times(undefined)], ["1.23 ×", "44 ×", "–"]);
});
