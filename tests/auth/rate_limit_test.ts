import assert from "node:assert/strict";
import { RateLimiter } from "../../src/auth/mod.ts";
import { RouterError } from "../../src/http/mod.ts";

/** Takes one token: null when admitted, else the `Retry-After` of the refusal. */
function take(limiter: RateLimiter, nowMs: number, keyId: string | null = "k"): number | null {
  try {
    limiter.take(keyId, { nowMs });
    return null;
  } catch (error) {
    assert.ok(error instanceof RouterError);
    assert.equal(error.code, "rate_limit_exceeded");
    assert.equal(error.status, 429);
    return Number(error.headers["retry-after"]);
  }
}

function admitted(limiter: RateLimiter, nowMs: number, tries: number): number {
  let count = 0;
  for (let index = 0; index < tries; index++) if (take(limiter, nowMs) === null) count++;
  return count;
}

Deno.test("RateLimiter.take() admits exactly the limit at once", () => {
  const limiter = new RateLimiter([{ keyId: "k", limitPerMinute: 5 }]);
  assert.equal(admitted(limiter, 1000, 50), 5);
});

Deno.test.each(
  [
    [60, 999, 0],
    [60, 1000, 1],
    [60, 1999, 1],
    [60, 30_000, 30],
    [60, 60_000, 60],
    [60, 3_600_000, 60],
    [600, 100, 1],
    [7, 60_000, 7],
    [1, 59_999, 0],
    [1, 60_000, 1],
  ] as const,
)("RateLimiter.take() with limit %d refills in %d ms: %d", (limit, afterMs, expected) => {
  const limiter = new RateLimiter([{ keyId: "k", limitPerMinute: limit }]);
  assert.equal(admitted(limiter, 5, limit + 3), limit);
  assert.equal(admitted(limiter, 5 + afterMs, limit + 3), expected);
});

Deno.test("RateLimiter.take() adds up many small refills without losing any", () => {
  const limiter = new RateLimiter([{ keyId: "k", limitPerMinute: 7 }]);
  admitted(limiter, 0, 7);
  let count = 0;
  for (let nowMs = 1; nowMs <= 60_000; nowMs++) count += admitted(limiter, nowMs, 1);
  assert.equal(count, 7);
});

Deno.test.each(
  [
    [1, 0, 60],
    [1, 500, 60],
    [1, 1000, 59],
    [1, 59_999, 1],
    [60, 0, 1],
    [60, 999, 1],
    [600, 0, 1],
    [30, 0, 2],
  ] as const,
)("RateLimiter.take() with limit %d, %d ms later, says to retry in %d s", (limit, afterMs, s) => {
  const limiter = new RateLimiter([{ keyId: "k", limitPerMinute: limit }]);
  admitted(limiter, 0, limit);
  assert.equal(take(limiter, afterMs), s);
  assert.equal(take(limiter, afterMs + s * 1000), null);
});

Deno.test("RateLimiter.take() charges nothing for a refusal", () => {
  const limiter = new RateLimiter([{ keyId: "k", limitPerMinute: 60 }]);
  admitted(limiter, 0, 200);
  assert.equal(take(limiter, 1000), null);
});

Deno.test("RateLimiter.take() keeps keys apart and lets others pass", () => {
  const limiter = new RateLimiter([
    { keyId: "k", limitPerMinute: 1 },
    { keyId: "l", limitPerMinute: 1 },
  ]);
  assert.equal(take(limiter, 0), null);
  assert.notEqual(take(limiter, 0), null);
  assert.equal(take(limiter, 0, "l"), null);
  for (let index = 0; index < 100; index++) {
    assert.equal(take(limiter, 0, null), null);
    assert.equal(take(limiter, 0, "unlimited"), null);
  }
});

Deno.test("RateLimiter.take() gains nothing from a clock that goes back", () => {
  const limiter = new RateLimiter([{ keyId: "k", limitPerMinute: 60 }]);
  admitted(limiter, 100_000, 60);
  assert.notEqual(take(limiter, 0), null);
  assert.equal(admitted(limiter, 101_000, 5), 1);
});

Deno.test.each(
  [
    ["the same limit", 10, 0],
    ["a higher limit", 15, 5],
    ["a lower limit", 5, 0],
  ] as const,
)("RateLimiter.configure() with %s keeps what was used", (_name, limit, expected) => {
  const limiter = new RateLimiter([{ keyId: "k", limitPerMinute: 10 }]);
  admitted(limiter, 0, 10);
  limiter.configure([{ keyId: "k", limitPerMinute: limit }]);
  assert.equal(admitted(limiter, 0, 50), expected);
});

Deno.test("RateLimiter.configure() forgets keys without a limit", () => {
  const limiter = new RateLimiter([{ keyId: "k", limitPerMinute: 1 }]);
  limiter.configure([]);
  assert.equal(admitted(limiter, 0, 10), 10);
});

Deno.test.each([[0], [-1], [NaN], [0.5]])("RateLimiter refuses the limit %d", (limitPerMinute) => {
  assert.throws(() => new RateLimiter([{ keyId: "k", limitPerMinute }]), RangeError);
});
