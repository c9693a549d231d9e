import assert from "node:assert/strict";
import fc from "fast-check";
import { FrameScanner } from "../../src/wire/frame_scanner.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { encodeFrame, OPCODE } from "../support/raw_peer.ts";

/** Whether a text is found to be cut, of these fragments, in pieces of that many bytes. */
function isCut(
  fragments: readonly Uint8Array[],
  { masked = false, pieceBytes = Infinity, opcode = OPCODE.text as number } = {},
): boolean {
  const scanner = new FrameScanner({ masked, maxMessageBytes: 1_000_000 });
  const bytes = concatBytes(fragments.map((payload, index) =>
    encodeFrame({
      opcode: index === 0 ? opcode : OPCODE.continuation,
      final: index === fragments.length - 1,
      payload,
    }, { masked })
  ));
  let held = new Uint8Array(0);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    held = concatBytes([held, bytes.subarray(at, at + pieceBytes)]);
    held = held.slice(scanner.scan(held, held.length));
  }
  assert.equal(scanner.messages, 1);
  assert.equal(scanner.violation, undefined);
  return scanner.cutMessage === 1;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const NOTHING = new Uint8Array(0);

Deno.test.each([
  ["a whole text", [utf8("a"), utf8("b")], false],
  ["a character over two fragments", [utf8("é").subarray(0, 1), utf8("é").subarray(1)], false],
  ["half a character of two bytes", [utf8("a"), utf8("é").subarray(0, 1)], true],
  ["two thirds of one of three", [utf8("a"), utf8("안").subarray(0, 2)], true],
  ["three quarters of one of four", [utf8("🙂").subarray(0, 2), utf8("🙂").subarray(2, 3)], true],
  ["half a character and an empty fragment", [utf8("é").subarray(0, 1), NOTHING], true],
  ["nothing at all", [NOTHING, NOTHING], false],
  ["a whole character of four bytes", [utf8("🙂"), NOTHING], false],
])("FrameScanner.cutMessage: %s", (_what, fragments, expected) => {
  for (const masked of [false, true]) {
    for (const pieceBytes of [1, 3, Infinity]) {
      assert.equal(isCut(fragments, { masked, pieceBytes }), expected);
    }
  }
});

Deno.test("FrameScanner.cutMessage: of no binary message, and of no text in one fragment", () => {
  const half = utf8("é").subarray(0, 1);
  assert.equal(isCut([utf8("a"), half], { opcode: OPCODE.binary }), false);
  // The endpoint sees to that itself.
  assert.equal(isCut([half]), false);
});

Deno.test("FrameScanner.cutMessage: any text, cut anywhere, is whole exactly when it can be decoded", () => {
  const decodes = (bytes: Uint8Array) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(fc.property(
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.nat(),
    fc.nat(),
    fc.boolean(),
    fc.integer({ min: 1, max: 9 }),
    (text, end, middle, masked, pieceBytes) => {
      const all = utf8(text);
      const bytes = all.subarray(0, end % (all.length + 1));
      const at = middle % (bytes.length + 1);
      const fragments = [bytes.subarray(0, at), bytes.subarray(at)];
      assert.equal(isCut(fragments, { masked, pieceBytes }), !decodes(bytes));
    },
  ));
});
