import assert from "node:assert/strict";
import {
  EMPTY_CLOSE,
  encodeCloseFrame,
  isWireCloseCode,
  MAX_REASON_BYTES,
  parseCloseBody,
} from "../../src/wire/close_frame.ts";
import { decodeFrames } from "../support/decode_frames.ts";
import { closeBody, OPCODE } from "../support/raw_peer.ts";

/** Every code that may appear on the wire (spec §6 "Ends"). */
function mayAppear(code: number): boolean {
  if ([1004, 1005, 1006, 1015].includes(code)) return false;
  return (code >= 1000 && code < 1015) || (code >= 3000 && code < 5000);
}

Deno.test("isWireCloseCode() for all 16-bit numbers", () => {
  for (let code = 0; code <= 0xffff; code++) {
    assert.equal(isWireCloseCode(code), mayAppear(code), String(code));
  }
});

Deno.test("parseCloseBody() agrees with isWireCloseCode() for all codes", () => {
  for (let code = 0; code <= 0xffff; code++) {
    const expected = mayAppear(code) ? { code, reason: "r" } : { malformed: 1002 };
    assert.deepEqual(parseCloseBody(closeBody(code, "r")), expected);
  }
});

Deno.test.each(
  [
    ["no body", new Uint8Array(0), EMPTY_CLOSE],
    ["one byte", new Uint8Array([3]), { malformed: 1002 }],
    ["a code alone", closeBody(1001), { code: 1001, reason: "" }],
    ["text of several bytes a character", closeBody(4000, "끝"), { code: 4000, reason: "끝" }],
    ["a byte order mark", closeBody(1000, "\ufeffx"), { code: 1000, reason: "\ufeffx" }],
    ["a zero character", closeBody(1000, "\0"), { code: 1000, reason: "\0" }],
    ["a cut character", closeBody(1000, new Uint8Array([0xeb, 0x81])), { malformed: 1007 }],
    ["a surrogate", closeBody(1000, new Uint8Array([0xed, 0xa0, 0x80])), { malformed: 1007 }],
    ["an overlong zero", closeBody(1000, new Uint8Array([0xc0, 0x80])), { malformed: 1007 }],
    ["bad code and bad text", closeBody(1005, new Uint8Array([0xff])), { malformed: 1002 }],
  ] as const,
)("parseCloseBody() with %s", (_what, body, expected) => {
  assert.deepEqual(parseCloseBody(body), expected);
});

Deno.test.each(
  [
    [{ code: 1000, reason: "" }],
    [{ code: 1011, reason: "backend connection lost" }],
    [{ code: 1014, reason: "x".repeat(MAX_REASON_BYTES) }],
    [{ code: 4999, reason: "é".repeat(61) }],
    [EMPTY_CLOSE],
  ] as const,
)("encodeCloseFrame() writes what parseCloseBody() reads: %j", (close) => {
  for (const masked of [true, false]) {
    const [frame, ...more] = decodeFrames(encodeCloseFrame(close, { masked }));
    assert.equal(more.length, 0);
    assert.ok(frame !== undefined);
    assert.equal(frame.opcode, OPCODE.close);
    assert.equal(frame.final, true);
    assert.equal(frame.reserved, 0);
    assert.equal(frame.masked, masked);
    assert.deepEqual(parseCloseBody(frame.payload), close);
  }
});

Deno.test.each(
  [
    ["x".repeat(124), "x".repeat(123)],
    ["é".repeat(62), "é".repeat(61)],
    [`x${"é".repeat(61)}é`, `x${"é".repeat(61)}`],
    ["끝".repeat(100), "끝".repeat(41)],
    ["😀".repeat(31), "😀".repeat(30)],
  ] as const,
)("encodeCloseFrame() cuts a long reason at a character: %s", (reason, kept) => {
  const [frame] = decodeFrames(encodeCloseFrame({ code: 1000, reason }, { masked: false }));
  assert.ok(frame !== undefined);
  assert.deepEqual(parseCloseBody(frame.payload), { code: 1000, reason: kept });
});

Deno.test("encodeCloseFrame() masks with a fresh key", () => {
  const close = { code: 1000, reason: "the same" };
  const keys = new Set(
    Array.from(
      { length: 8 },
      () => encodeCloseFrame(close, { masked: true }).subarray(2, 6).toHex(),
    ),
  );
  assert.ok(keys.size > 1);
});
