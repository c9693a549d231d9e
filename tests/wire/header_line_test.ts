import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeLatin1, parseHeaderLine } from "../../src/wire/header_line.ts";
import { encodeLatin1 } from "../../src/wire/request_head.ts";

Deno.test.each(
  [
    ["a:b", ["a", "b"]],
    ["A: b", ["A", "b"]],
    ["a: \t b \t ", ["a", "b"]],
    ["a:", ["a", ""]],
    ["a: \t ", ["a", ""]],
    ["a: b c\td", ["a", "b c\td"]],
    ["a: b:c", ["a", "b:c"]],
    ["!#$%&'*+.^_`|~-09: x", ["!#$%&'*+.^_`|~-09", "x"]],
    ["a: \x80\x9f\xa0\xff", ["a", "\x80\x9f\xa0\xff"]],
    ["a: \xa0b\xa0", ["a", "\xa0b\xa0"]],
    ["a : b", undefined],
    ["a\t: b", undefined],
    [" a: b", undefined],
    ["\ta: b", undefined],
    [": b", undefined],
    ["", undefined],
    ["a", undefined],
    ["a b: c", undefined],
    ["a(b): c", undefined],
    ["é: c", undefined],
    ["a: b\0", undefined],
    ["a: b\rc: d", undefined],
    ["a: b\nc: d", undefined],
    ["a: b\x7f", undefined],
    ["a: b\x0b", undefined],
    ["a: b\u0100", undefined],
  ] as const,
)("parseHeaderLine(%j) is %j", (line, expected) => {
  assert.deepEqual(parseHeaderLine(line), expected);
});

/** Lines of this length took a backtracking expression a hundred milliseconds each. */
Deno.test("parseHeaderLine() takes a time in proportion to the line's length", () => {
  const spaces = " ".repeat(2 ** 20);
  assert.equal(parseHeaderLine(`a:${spaces}\0`), undefined);
  assert.equal(parseHeaderLine(`a: b${spaces}\0`), undefined);
  assert.equal(parseHeaderLine(`a: ${"b ".repeat(2 ** 19)}\0`), undefined);
  assert.deepEqual(parseHeaderLine(`a:${spaces}b${spaces}`), ["a", "b"]);
});

Deno.test("decodeLatin1() gives every byte the character of its number", () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => {
    const text = decodeLatin1(bytes);
    assert.deepEqual([...text].map((character) => character.codePointAt(0)), [...bytes]);
    assert.deepEqual([...encodeLatin1(text)], [...bytes]);
  }));
});
