import assert from "node:assert/strict";
import { FrameScanner, MAX_HELD_BYTES } from "../../src/wire/frame_scanner.ts";
import { concatBytes } from "../support/memory_stream.ts";
import { closeBody, encodeFrame, type FrameToWrite, OPCODE } from "../support/raw_peer.ts";

const LIMIT = 4 * 1024 * 1024;

/** The bytes of frames that a client sends. */
function masked(...frames: readonly FrameToWrite[]): Uint8Array {
  return concatBytes(frames.map((frame) => encodeFrame(frame, { masked: true })));
}

/** The bytes of frames that a server sends. */
function unmasked(...frames: readonly FrameToWrite[]): Uint8Array {
  return concatBytes(frames.map((frame) => encodeFrame(frame, { masked: false })));
}

function clientScanner(maxMessageBytes = LIMIT): FrameScanner {
  return new FrameScanner({ masked: true, maxMessageBytes });
}

const text: FrameToWrite = { opcode: OPCODE.text, payload: "hello" };
const start: FrameToWrite = { ...text, final: false };
const middle: FrameToWrite = { opcode: OPCODE.continuation, payload: "more", final: false };
const end: FrameToWrite = { opcode: OPCODE.continuation, payload: "end" };
const ping: FrameToWrite = { opcode: OPCODE.ping, payload: "ping" };
const pong: FrameToWrite = { opcode: OPCODE.pong };

function close(code: number, reason: string | Uint8Array = ""): FrameToWrite {
  return { opcode: OPCODE.close, payload: closeBody(code, reason) };
}

interface Breach {
  readonly what: string;
  readonly before?: readonly FrameToWrite[];
  readonly frame: FrameToWrite;
  readonly code: number;
}

const BREACHES: readonly Breach[] = [
  { what: "a frame that is not masked", frame: { ...text, masked: false }, code: 1002 },
  { what: "a ping that is not masked", frame: { ...ping, masked: false }, code: 1002 },
  {
    what: "a close frame that is not masked",
    frame: { ...close(1000), masked: false },
    code: 1002,
  },
  { what: "RSV1", frame: { ...text, reserved: 4 }, code: 1002 },
  { what: "RSV2", frame: { ...text, reserved: 2 }, code: 1002 },
  { what: "RSV3", frame: { ...text, reserved: 1 }, code: 1002 },
  { what: "RSV1 on a ping", frame: { ...ping, reserved: 4 }, code: 1002 },
  { what: "RSV1 on a continuation", before: [start], frame: { ...end, reserved: 4 }, code: 1002 },
  ...[3, 4, 5, 6, 7, 11, 12, 13, 14, 15].map((opcode) => ({
    what: `opcode ${opcode}`,
    frame: { opcode, payload: "x" },
    code: 1002,
  })),
  { what: "a fragmented ping", frame: { ...ping, final: false }, code: 1002 },
  { what: "a fragmented pong", frame: { ...pong, final: false }, code: 1002 },
  { what: "a fragmented close frame", frame: { ...close(1000), final: false }, code: 1002 },
  { what: "a ping of 126 bytes", frame: { ...ping, payload: "x".repeat(126) }, code: 1002 },
  { what: "a pong of 65,536 bytes", frame: { ...pong, payload: "x".repeat(65536) }, code: 1002 },
  { what: "a close frame of 126 bytes", frame: close(1000, "x".repeat(124)), code: 1002 },
  { what: "a continuation of nothing", frame: end, code: 1002 },
  { what: "a continuation of a finished message", before: [start, end], frame: end, code: 1002 },
  { what: "a message within a message", before: [start], frame: text, code: 1002 },
  {
    what: "a message within a message, after a ping",
    before: [start, middle, ping],
    frame: { opcode: OPCODE.binary, payload: "x" },
    code: 1002,
  },
  {
    what: "a length with its top bit set",
    frame: { opcode: OPCODE.binary, claimedLength: 1n << 63n },
    code: 1002,
  },
  {
    what: "the greatest length",
    frame: { opcode: OPCODE.binary, claimedLength: (1n << 63n) - 1n },
    code: 1009,
  },
  {
    what: "a claim of 2^40 bytes",
    frame: { opcode: OPCODE.text, claimedLength: 1n << 40n },
    code: 1009,
  },
  {
    what: "a claim of 2^40 bytes in a continuation",
    before: [start],
    frame: { opcode: OPCODE.continuation, claimedLength: 1n << 40n },
    code: 1009,
  },
  { what: "a close body of one byte", frame: { opcode: OPCODE.close, payload: "x" }, code: 1002 },
  ...[0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535].map((code) => ({
    what: `close code ${code}`,
    frame: close(code, "reason"),
    code: 1002,
  })),
  {
    what: "a close reason that is not UTF-8",
    frame: close(1000, new Uint8Array([0x61, 0xc3, 0x28])),
    code: 1007,
  },
  {
    what: "a close reason that ends within a character",
    frame: close(1000, new Uint8Array([0xe2, 0x82])),
    code: 1007,
  },
];

Deno.test.each(BREACHES.map((breach) => [breach.what, breach] as const))(
  "FrameScanner.scan() refuses %s and stops before it",
  (_what, { before = [], frame, code }) => {
    const good = masked(text, ...before);
    const bytes = concatBytes([good, masked(frame), masked(text)]);
    const whole = clientScanner();
    assert.equal(whole.scan(bytes, bytes.length), good.length);
    assert.equal(whole.violation?.code, code);
    assert.equal(whole.close, undefined);
    assert.equal(whole.scan(bytes.subarray(good.length), bytes.length - good.length), 0);

    const slow = clientScanner();
    assert.equal(consumedByteByByte(slow, bytes), good.length);
    assert.deepEqual(slow.violation, whole.violation);
  },
);

/** Presents bytes one by one. Returns how many were consumed. */
function consumedByteByByte(scanner: FrameScanner, bytes: Uint8Array): number {
  let consumed = 0;
  for (let end = 1; end <= bytes.length; end++) {
    const held = bytes.subarray(consumed, end);
    consumed += scanner.scan(held, held.length);
    if (scanner.violation !== undefined || scanner.close !== undefined) break;
  }
  return consumed;
}

Deno.test("FrameScanner.scan() refuses masked frames from a server", () => {
  for (const frame of [text, ping, close(1000)]) {
    const scanner = new FrameScanner({ masked: false, maxMessageBytes: LIMIT });
    const bytes = masked(frame);
    assert.equal(scanner.scan(bytes, bytes.length), 0);
    assert.equal(scanner.violation?.code, 1002);
  }
});

Deno.test("FrameScanner.scan() lets every legal frame of both roles pass", () => {
  const frames = [text, ping, start, ping, middle, pong, end, { opcode: OPCODE.binary }];
  for (
    const [isClient, bytes] of [[true, masked(...frames)], [false, unmasked(...frames)]] as const
  ) {
    const scanner = new FrameScanner({ masked: isClient, maxMessageBytes: LIMIT });
    assert.equal(scanner.scan(bytes, bytes.length), bytes.length);
    assert.equal(scanner.violation, undefined);
    assert.equal(scanner.messages, 3);
    assert.equal(scanner.atFrameBoundary, true);
  }
});

Deno.test("FrameScanner.scan() refuses an over-long length before its mask has come", () => {
  const scanner = clientScanner();
  const head = masked({ opcode: OPCODE.binary, claimedLength: BigInt(LIMIT) + 1n }).subarray(0, 10);
  assert.equal(scanner.scan(head, head.length), 0);
  assert.equal(scanner.violation?.code, 1009);
});

Deno.test("FrameScanner.scan() looks only at the given length", () => {
  const scanner = clientScanner();
  const bytes = concatBytes([masked(text), masked({ ...text, reserved: 4 })]);
  assert.equal(scanner.scan(bytes, masked(text).length), masked(text).length);
  assert.equal(scanner.violation, undefined);
});

Deno.test.each(
  [
    [LIMIT, 1, 0, undefined],
    [LIMIT + 1, 1, 0, 1009],
    [LIMIT, 64, 0, undefined],
    [LIMIT + 1, 64, 0, 1009],
    [LIMIT, 64, 1, undefined],
    [LIMIT + 1, 64, 1, 1009],
  ] as const,
)("FrameScanner.scan() of %d bytes in %d frames, %d pings between: %s", (
  size,
  count,
  pings,
  code,
) => {
  const scanner = clientScanner();
  const share = Math.floor(size / count);
  let lastFrame = 0;
  for (let index = 0; index < count; index++) {
    const length = index === count - 1 ? size - share * index : share;
    const frame = masked({
      opcode: index === 0 ? OPCODE.binary : OPCODE.continuation,
      payload: new Uint8Array(length),
      final: index === count - 1,
    });
    lastFrame = scanner.scan(frame, frame.length);
    if (scanner.violation !== undefined) break;
    assert.equal(lastFrame, frame.length);
    const control = masked(...Array<FrameToWrite>(pings).fill(ping));
    if (index < count - 1) assert.equal(scanner.scan(control, control.length), control.length);
  }
  assert.equal(scanner.violation?.code, code);
  assert.equal(scanner.messages, code === undefined ? 1 : 0);
  if (code !== undefined) assert.equal(lastFrame, 0);
});

Deno.test("FrameScanner.scan() counts the size of every message anew", () => {
  const scanner = clientScanner(10);
  const bytes = masked(
    { ...text, payload: "0123456789" },
    { ...start, payload: "01234" },
    { ...end, payload: "56789" },
    { ...text, payload: "0123456789" },
  );
  assert.equal(scanner.scan(bytes, bytes.length), bytes.length);
  assert.equal(scanner.messages, 3);
});

Deno.test("FrameScanner without a limit follows lengths of 63 bits", () => {
  const scanner = new FrameScanner({ masked: false, maxMessageBytes: Infinity });
  const bytes = unmasked({ opcode: OPCODE.binary, claimedLength: 1n << 40n, payload: "abc" });
  assert.equal(scanner.scan(bytes, bytes.length), bytes.length);
  assert.equal(scanner.violation, undefined);
  assert.equal(scanner.atFrameBoundary, false);
});

Deno.test.each(
  [
    [1000, ""],
    [1003, "x"],
    [1007, "ünïcödé"],
    [1014, "bad gateway"],
    [3000, "x".repeat(123)],
    [4999, "é".repeat(61)],
  ] as const,
)("FrameScanner.close is a close frame of %d %j, which is not consumed", (code, reason) => {
  for (const isClient of [true, false]) {
    const scanner = new FrameScanner({ masked: isClient, maxMessageBytes: LIMIT });
    const before = encodeFrame(text, { masked: isClient });
    const bytes = concatBytes([
      before,
      encodeFrame(close(code, reason), { masked: isClient }),
      encodeFrame(text, { masked: isClient }),
    ]);
    assert.equal(consumedByteByByte(scanner, bytes), before.length);
    assert.deepEqual(scanner.close, { code, reason });
    assert.equal(scanner.violation, undefined);
    assert.equal(scanner.atFrameBoundary, true);
  }
});

Deno.test("FrameScanner.close is seen within an unfinished message and may be empty", () => {
  const scanner = clientScanner();
  const bytes = masked(start, { opcode: OPCODE.close });
  assert.equal(scanner.scan(bytes, bytes.length), masked(start).length);
  assert.deepEqual(scanner.close, { code: null, reason: "" });
});

Deno.test("FrameScanner.dataBytes counts data frames with their headers, and no control frame", () => {
  const scanner = clientScanner();
  const bytes = masked(ping, start, pong, middle, ping, end);
  scanner.scan(bytes, bytes.length);
  assert.equal(scanner.dataBytes, masked(start, middle, end).length);
});

Deno.test("FrameScanner holds a whole close frame back until its last byte, and no more", () => {
  const scanner = clientScanner();
  const bytes = masked(close(1000, "x".repeat(123)));
  assert.equal(bytes.length, MAX_HELD_BYTES);
  assert.equal(scanner.scan(bytes, bytes.length - 1), 0);
  assert.equal(scanner.close, undefined);
  assert.equal(scanner.scan(bytes, bytes.length), 0);
  assert.deepEqual(scanner.close, { code: 1000, reason: "x".repeat(123) });
});
