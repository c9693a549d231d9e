import assert from "node:assert/strict";
import { frame, FrameCounter } from "../../../bench/driver/frames.ts";
import { payload } from "../../../bench/driver/payload.ts";

const SIZES = [0, 1, 125, 126, 65_535, 65_536, 70_000];

function counted() {
  const seen: (readonly [number, number])[] = [];
  return { seen, counter: new FrameCounter((opcode, bytes) => seen.push([opcode, bytes])) };
}

Deno.test.each(SIZES.flatMap((bytes) => [{ bytes, masked: true }, { bytes, masked: false }]))(
  "FrameCounter: sees a frame of $bytes bytes, masked: $masked, however it is cut",
  ({ bytes, masked }) => {
    const whole = frame(new Uint8Array(bytes), { masked, opcode: 2 });
    const twice = new Uint8Array([...whole, ...whole]);
    for (const step of [1, 7, 16_384, twice.length]) {
      if (step === 1 && bytes > 1_000) continue;
      const { seen, counter } = counted();
      for (let at = 0; at < twice.length; at += step) {
        const piece = twice.subarray(at, at + step);
        counter.take(piece, piece.length);
      }
      assert.deepEqual(seen, [[2, bytes], [2, bytes]]);
    }
  },
);

Deno.test("FrameCounter: tells of a frame with its last byte, not before", () => {
  const { seen, counter } = counted();
  const bytes = frame(payload(200), { masked: true });
  counter.take(bytes, bytes.length - 1);
  assert.deepEqual(seen, []);
  counter.take(bytes.subarray(-1), 1);
  assert.deepEqual(seen, [[1, 200]]);
});

Deno.test("frame: masked bytes are not the payload, and give it with their key", () => {
  const text = payload(300);
  const bytes = frame(text, { masked: true });
  const [key, body] = [bytes.subarray(4, 8), bytes.subarray(8)];
  assert.notDeepEqual(body, text);
  assert.deepEqual(body.map((byte, at) => byte ^ key[at % 4]!), text);
  assert.equal(bytes[1]! & 0x80, 0x80);
});

Deno.test("payload: is a delta of exactly that many bytes", () => {
  for (const bytes of [100, 1_300, 13_000]) {
    const text = new TextDecoder().decode(payload(bytes));
    assert.equal(text.length, bytes);
    assert.equal(JSON.parse(text).type, "response.output_audio.delta");
  }
  assert.throws(() => payload(10), RangeError);
});
