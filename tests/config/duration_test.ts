import assert from "node:assert/strict";
import fc from "fast-check";
import { formatDuration, MAX_DURATION_MS, parseDuration } from "../../src/config/duration.ts";

const GOOD: readonly (readonly [unknown, number])[] = [
  ["0", 0],
  [0, 0],
  ["0s", 0],
  ["250ms", 250],
  ["1s", 1_000],
  ["1m30s", 90_000],
  ["90s", 90_000],
  ["2h", 7_200_000],
  ["1d", 86_400_000],
  ["1d2h3m4s5ms", 93_784_005],
  ["24d20h31m23s647ms", MAX_DURATION_MS],
];

for (const [written, ms] of GOOD) {
  Deno.test(`parseDuration: ${JSON.stringify(written)} is ${ms} ms`, () => {
    assert.deepEqual(parseDuration(written), { ok: true, ms });
  });
}

const BAD: readonly (readonly [unknown, string])[] = [
  [60, 'found a number without a unit: write "60s" for 60 seconds'],
  ["60", 'found a number without a unit: write "60s" for 60 seconds'],
  [0.5, 'found a number without a unit: write "500ms" for 0.5 seconds'],
  ["1.5m", 'found a fraction: write "1m30s"'],
  ["0.1ms", 'found a fraction: write "1ms"'],
  ["25d", "found more than 24d20h31m23s647ms"],
  ["999999999999999d", "found more than 24d20h31m23s647ms"],
  ["", ""],
  ["s", ""],
  ["1 s", ""],
  [" 1s", ""],
  ["1S", ""],
  ["1w", ""],
  ["30s1m", ""],
  ["1s1s", ""],
  ["-1s", ""],
  ["1s\n", ""],
  [-1, ""],
  [Infinity, ""],
  [NaN, ""],
  [true, ""],
  [null, ""],
  [undefined, ""],
  [["1s"], ""],
  [{ s: 1 }, ""],
];

for (const [written, problem] of BAD) {
  const shown = typeof written === "number" ? String(written) : JSON.stringify(written);
  Deno.test(`parseDuration: ${shown} is refused`, () => {
    assert.deepEqual(parseDuration(written), { ok: false, problem });
  });
}

Deno.test("parseDuration: reads back whatever formatDuration writes", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: MAX_DURATION_MS }), (ms) => {
    assert.deepEqual(parseDuration(formatDuration(ms)), { ok: true, ms });
  }));
});

Deno.test("parseDuration: joined units add up", () => {
  const part = fc.integer({ min: 0, max: 20 });
  fc.assert(fc.property(part, part, part, part, part, (d, h, m, s, ms) => {
    const sum = d * 86_400_000 + h * 3_600_000 + m * 60_000 + s * 1_000 + ms;
    assert.deepEqual(parseDuration(`${d}d${h}h${m}m${s}s${ms}ms`), { ok: true, ms: sum });
  }));
});

Deno.test("parseDuration: any text gives whole milliseconds in range or a problem", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9dhms.]{0,12}$/)), (text) => {
    const result = parseDuration(text);
    if (!result.ok) return;
    assert(Number.isSafeInteger(result.ms) && result.ms >= 0 && result.ms <= MAX_DURATION_MS);
  }));
});

Deno.test("formatDuration: uses each unit once, from large to small", () => {
  assert.equal(formatDuration(0), "0");
  assert.equal(formatDuration(90_000), "1m30s");
  assert.equal(formatDuration(3_600_001), "1h1ms");
});
