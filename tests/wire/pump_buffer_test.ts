import assert from "node:assert/strict";
import fc from "fast-check";
import { PumpBuffer } from "../../src/wire/pump_buffer.ts";

const SMALL = 4 * 1024;
const LARGE = 64 * 1024;

/** One read of `count` bytes, all of which go on. */
function pass(buffer: PumpBuffer, count: number): void {
  buffer.filled(count);
  buffer.consume(count);
}

Deno.test("PumpBuffer starts small, or as large as what is there already", () => {
  assert.equal(new PumpBuffer().space.length, SMALL);
  const buffer = new PumpBuffer(new Uint8Array(SMALL + 1).fill(7));
  assert.equal(buffer.length, SMALL + 1);
  assert.deepEqual([...buffer.head(3)], [7, 7, 7]);
  buffer.consume(SMALL + 1);
  assert.ok(buffer.space.length > SMALL);
});

Deno.test("PumpBuffer grows while reads fill it, up to 64 KiB", () => {
  const buffer = new PumpBuffer();
  const sizes: number[] = [];
  for (let read = 0; read < 4; read++) {
    pass(buffer, buffer.space.length);
    sizes.push(buffer.space.length);
  }
  assert.deepEqual(sizes, [4 * SMALL, LARGE, LARGE, LARGE]);
});

Deno.test("PumpBuffer shrinks after 64 small reads in a row, and not for fewer", () => {
  const buffer = new PumpBuffer();
  pass(buffer, SMALL);
  pass(buffer, 4 * SMALL);
  assert.equal(buffer.space.length, LARGE);
  for (let read = 0; read < 63; read++) pass(buffer, 100);
  pass(buffer, LARGE / 2);
  for (let read = 0; read < 63; read++) pass(buffer, 100);
  assert.equal(buffer.space.length, LARGE);
  pass(buffer, 100);
  assert.equal(buffer.space.length, LARGE / 4);
  for (let read = 0; read < 200; read++) pass(buffer, 100);
  assert.equal(buffer.space.length, SMALL);
});

Deno.test("PumpBuffer keeps every byte in order and has room after each consume", () => {
  const step = fc.record({ read: fc.nat(LARGE), keep: fc.nat(131) });
  fc.assert(fc.property(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(step, { maxLength: 60 }),
    (initial, steps) => {
      const buffer = new PumpBuffer(initial);
      const expected = [...initial];
      let next = 0;
      for (const { read, keep } of steps) {
        const space = buffer.space;
        const count = Math.min(read, space.length);
        for (let i = 0; i < count; i++) space[i] = next = (next + 1) & 0xff;
        expected.push(...space.subarray(0, count));
        buffer.filled(count);
        assert.equal(buffer.length, expected.length);
        const consumed = Math.max(0, buffer.length - keep);
        assert.deepEqual(buffer.head(consumed), new Uint8Array(expected.splice(0, consumed)));
        buffer.consume(consumed);
        assert.deepEqual(buffer.bytes.slice(0, buffer.length), new Uint8Array(expected));
        assert.ok(buffer.space.length > 0);
        assert.ok(buffer.bytes.length <= LARGE);
      }
    },
  ));
});
