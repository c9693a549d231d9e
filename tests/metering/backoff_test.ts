import assert from "node:assert/strict";
import fc from "fast-check";
import { backoffMs } from "../../src/metering/backoff.ts";

const ALMOST_ONE = 1 - Number.EPSILON;

Deno.test.each([
  { failures: 1, from: 1_000, to: 2_000 },
  { failures: 2, from: 2_000, to: 4_000 },
  { failures: 3, from: 4_000, to: 8_000 },
  { failures: 5, from: 16_000, to: 32_000 },
  { failures: 6, from: 30_000, to: 60_000 },
  { failures: 7, from: 30_000, to: 60_000 },
  { failures: 100_000, from: 30_000, to: 60_000 },
])("backoffMs() after $failures failures: from $from to $to ms", ({ failures, from, to }) => {
  assert.equal(backoffMs(failures, { random: () => 0 }), from);
  assert.equal(backoffMs(failures, { random: () => 0.5 }), (from + to) / 2);
  assert.ok(Math.abs(backoffMs(failures, { random: () => ALMOST_ONE }) - to) < 0.001);
});

Deno.test.each([
  { retryAfterMs: 0, expected: 3_000 },
  { retryAfterMs: 2_999, expected: 3_000 },
  { retryAfterMs: 5_000, expected: 5_000 },
  { retryAfterMs: 3_600_000, expected: 60_000 },
  { retryAfterMs: 1e15, expected: 60_000 },
])("backoffMs() when asked for $retryAfterMs ms: $expected", ({ retryAfterMs, expected }) => {
  assert.equal(backoffMs(2, { random: () => 0.5, retryAfterMs }), expected);
});

Deno.test("backoffMs() is never under 1 s and never over 60 s", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 2 ** 31 }),
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    fc.option(fc.nat(), { nil: undefined }),
    (failures, random, retryAfterMs) => {
      const ms = backoffMs(failures, {
        random: () => random,
        ...retryAfterMs === undefined ? {} : { retryAfterMs },
      });
      assert.ok(ms >= 1_000 && ms <= 60_000, `${ms}`);
    },
  ));
});
