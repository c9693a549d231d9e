/**
 * The frame scanner against a parser that reads whole byte strings in the plainest way (RFC 6455 §5.2),
 * over random frames in random pieces.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type CloseFrame, parseCloseBody } from "../../src/wire/close_frame.ts";
import { FrameScanner, MAX_HELD_BYTES } from "../../src/wire/frame_scanner.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { closeBody, encodeFrame, type FrameToWrite, OPCODE } from "../support/raw_peer.ts";

interface Outcome {
  readonly consumed: number;
  readonly messages: number;
  readonly dataBytes: number;
  readonly close: CloseFrame | undefined;
  readonly violation: number | undefined;
}

interface Rules {
  readonly masked: boolean;
  readonly maxMessageBytes: number;
}

/** What should be made of bytes of which no more will come. */
function reference(bytes: Uint8Array, { masked, maxMessageBytes }: Rules): Outcome {
  let at = 0;
  let messages = 0;
  let dataBytes = 0;
  /** Payload bytes of the message that is not finished. */
  let open: bigint | undefined;
  const stop = (result: Partial<Outcome> = {}): Outcome => ({
    consumed: at,
    messages,
    dataBytes,
    close: undefined,
    violation: undefined,
    ...result,
  });
  for (;;) {
    const rest = bytes.subarray(at);
    const [first, second] = rest;
    if (first === undefined || second === undefined) return stop();
    const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
    const opcode = first % 16;
    const isFinal = first >= 128;
    const isControl = opcode >= 8;
    if ((first >> 4) % 8 !== 0 || ![0, 1, 2, 8, 9, 10].includes(opcode)) {
      return stop({ violation: 1002 });
    }
    if ((second >= 128) !== masked) return stop({ violation: 1002 });
    if (isControl && (!isFinal || second % 128 > 125)) return stop({ violation: 1002 });
    if (!isControl && (open === undefined) === (opcode === 0)) return stop({ violation: 1002 });
    let length = BigInt(second % 128);
    let headBytes = 2;
    if (length === 126n) {
      if (rest.length < 4) return stop();
      length = BigInt(view.getUint16(2));
      headBytes = 4;
    } else if (length === 127n) {
      if (rest.length < 10) return stop();
      length = view.getBigUint64(2);
      headBytes = 10;
      if (length >= 1n << 63n) return stop({ violation: 1002 });
    }
    const messageBytes = (open ?? 0n) + length;
    const isBounded = !isControl && maxMessageBytes !== Infinity;
    if (isBounded && messageBytes > BigInt(maxMessageBytes)) return stop({ violation: 1009 });
    const key = rest.subarray(headBytes, headBytes + (masked ? 4 : 0));
    if (masked) headBytes += 4;
    if (rest.length < headBytes) return stop();
    const payload = rest.subarray(headBytes, headBytes + Number(length));
    const isWhole = BigInt(payload.length) === length;
    if (opcode === OPCODE.close) {
      if (!isWhole) return stop();
      const close = parseCloseBody(masked ? payload.map((byte, i) => byte ^ key[i % 4]!) : payload);
      return "malformed" in close ? stop({ violation: close.malformed }) : stop({ close });
    }
    at += headBytes + payload.length;
    if (!isControl) {
      dataBytes += headBytes + payload.length;
      open = isFinal ? undefined : messageBytes;
      if (isFinal && isWhole) messages++;
    }
    if (!isWhole) return stop();
  }
}

/** Runs the scanner as a pump does: what it does not consume is presented again with more behind it. */
function scanInPieces(
  bytes: Uint8Array,
  options: Rules & { readonly cuts: readonly number[] },
): Outcome {
  const scanner = new FrameScanner(options);
  const ends = [...options.cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
  let consumed = 0;
  for (const end of ends.toSorted((a, b) => a - b)) {
    const held = bytes.subarray(consumed, end);
    // A pump's buffer has room behind what counts.
    const room = concatBytes([held, new Uint8Array(8).fill(0x81)]);
    const dataBytesBefore = scanner.dataBytes;
    const isOver = scanner.violation !== undefined || scanner.close !== undefined;
    const taken = scanner.scan(room, held.length);
    assert.ok(taken >= 0 && taken <= held.length);
    if (isOver) assert.equal(taken, 0, "nothing is consumed after the end");
    assert.ok(scanner.dataBytes - dataBytesBefore <= taken);
    consumed += taken;
    if (scanner.violation === undefined && scanner.close === undefined) {
      assert.ok(end - consumed <= MAX_HELD_BYTES, `${end - consumed} bytes held`);
    }
  }
  const { messages, dataBytes, close, violation } = scanner;
  return { consumed, messages, dataBytes, close, violation: violation?.code };
}

const payload = fc.oneof(
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(125, 126, 127, 128, 400, 65_535, 65_536).map((n) =>
      new Uint8Array(n)
    ),
  },
);

const control: fc.Arbitrary<FrameToWrite> = fc.record({
  opcode: fc.constantFrom(OPCODE.ping, OPCODE.pong),
  payload: fc.uint8Array({ maxLength: 125 }),
});

const message: fc.Arbitrary<FrameToWrite[]> = fc.record({
  opcode: fc.constantFrom(OPCODE.text, OPCODE.binary),
  parts: fc.array(fc.tuple(payload, fc.array(control, { maxLength: 2 })), {
    minLength: 1,
    maxLength: 4,
  }),
}).map(({ opcode, parts }) =>
  parts.flatMap(([payload, controls], index): FrameToWrite[] => [
    {
      opcode: index === 0 ? opcode : OPCODE.continuation,
      payload,
      final: index === parts.length - 1,
    },
    ...controls,
  ])
);

const closing: fc.Arbitrary<FrameToWrite> = fc.oneof(
  fc.constant({ opcode: OPCODE.close }),
  fc.tuple(fc.integer({ min: 0, max: 5100 }), fc.string({ maxLength: 20 })).map((
    [code, reason],
  ) => ({
    opcode: OPCODE.close,
    payload: closeBody(code, reason),
  })),
  fc.tuple(fc.constantFrom(1000, 1014, 3000), fc.uint8Array({ maxLength: 123 })).map(
    ([code, reason]) => ({ opcode: OPCODE.close, payload: closeBody(code, reason) }),
  ),
  fc.uint8Array({ maxLength: 130 }).map((payload) => ({ opcode: OPCODE.close, payload })),
);

const anyFrame: fc.Arbitrary<FrameToWrite> = fc.record({
  opcode: fc.integer({ min: 0, max: 15 }),
  payload,
  final: fc.boolean(),
  reserved: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 7 })),
  masked: fc.boolean(),
  claimedLength: fc.oneof(
    fc.nat(1_000_000).map(BigInt),
    fc.constantFrom(1n << 40n, (1n << 63n) - 1n, 1n << 63n, (1n << 64n) - 1n),
  ),
}, { requiredKeys: ["opcode", "payload"] });

const frames = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: message },
    { weight: 2, arbitrary: control.map((frame) => [frame]) },
    { weight: 1, arbitrary: closing.map((frame) => [frame]) },
    { weight: 1, arbitrary: anyFrame.map((frame) => [frame]) },
  ),
  { maxLength: 8 },
).map((parts) => parts.flat());

Deno.test("FrameScanner agrees with a plain parser on random frames in random pieces", () => {
  fc.assert(
    fc.property(
      frames,
      fc.boolean(),
      fc.constantFrom(0, 60, 500, 100_000, Infinity),
      fc.array(fc.nat(), { maxLength: 30 }),
      fc.nat(200),
      (frames, masked, maxMessageBytes, cuts, missing) => {
        const all = concatBytes(frames.map((frame) => encodeFrame(frame, { masked })));
        const bytes = all.subarray(0, Math.max(0, all.length - missing));
        const rules = { masked, maxMessageBytes };
        const expected = reference(bytes, rules);
        assert.deepEqual(scanInPieces(bytes, { ...rules, cuts }), expected);
        assert.deepEqual(scanInPieces(bytes, { ...rules, cuts: [] }), expected);
      },
    ),
    { numRuns: 400 },
  );
});

Deno.test("FrameScanner agrees with a plain parser on random bytes", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 30 }),
      (bytes, masked, cuts) => {
        const rules = { masked, maxMessageBytes: 100 };
        assert.deepEqual(scanInPieces(bytes, { ...rules, cuts }), reference(bytes, rules));
      },
    ),
    { numRuns: 1000 },
  );
});
