import assert from "node:assert/strict";
import {
  geometricMean,
  median,
  percentile,
  quantiles,
  relativeError,
  spread,
} from "../../../bench/report/statistics.ts";

Deno.test.each([
  { values: [1], share: 0.5, expected: 1 },
  { values: [1, 2, 3, 4], share: 0.5, expected: 2 },
  { values: [1, 2, 3, 4], share: 0.51, expected: 3 },
  { values: [1, 2, 3, 4], share: 0, expected: 1 },
  { values: [1, 2, 3, 4], share: 1, expected: 4 },
  { values: [], share: 0.5, expected: NaN },
])("percentile: $share of $values is $expected", ({ values, share, expected }) => {
  assert.equal(percentile(values, share), expected);
});

Deno.test("quantiles: of values in any order, with the 99th of a hundred", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.deepEqual(quantiles(values), { p50: 50, p95: 95, p99: 99 });
  assert.equal(values[0], 100);
});

Deno.test.each([
  { values: [3, 1, 2], expected: 2 },
  { values: [4, 1, 2, 3], expected: 2.5 },
  { values: [], expected: NaN },
])("median: of $values is $expected", ({ values, expected }) => {
  assert.equal(median(values), expected);
});

Deno.test.each([
  { values: [10, 12, 8], expected: 0.4 },
  { values: [0, 0], expected: 0 },
  { values: [5], expected: 0 },
])("spread: of $values is $expected", ({ values, expected }) => {
  assert.equal(spread(values), expected);
});

Deno.test.each([
  { values: [2, 0.5], expected: 1 },
  { values: [1, 2, 4], expected: 2 },
  { values: [], expected: NaN },
])("geometricMean: of $values is $expected", ({ values, expected }) => {
  const mean = geometricMean(values);
  assert.ok(Object.is(mean, expected) || Math.abs(mean - expected) < 1e-9, `${mean}`);
});

Deno.test.each([
  { values: [2, 2, 2], expected: 0 },
  // Logarithms of -0.1, 0 and 0.1: a deviation of 0.1, over the root of 3.
  { values: [-0.1, 0, 0.1].map(Math.exp), expected: 0.1 / Math.sqrt(3) },
  { values: [2], expected: Infinity },
  { values: [], expected: Infinity },
])("relativeError: of $values is $expected", ({ values, expected }) => {
  const error = relativeError(values);
  assert.ok(error === expected || Math.abs(error - expected) < 1e-9, `${error}`);
});
