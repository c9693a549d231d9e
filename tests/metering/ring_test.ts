import assert from "node:assert/strict";
import { Ring } from "../../src/metering/ring.ts";

Deno.test.each(
  [
    [1, 0, []],
    [1, 1, [1]],
    [1, 3, [3]],
    [3, 2, [1, 2]],
    [3, 3, [1, 2, 3]],
    [3, 4, [2, 3, 4]],
    [3, 5, [3, 4, 5]],
    [3, 6, [4, 5, 6]],
    [3, 7, [5, 6, 7]],
  ] as const,
)("Ring of %d keeps the last of %d values, the oldest first", (capacity, count, expected) => {
  const ring = new Ring<number>(capacity);
  for (let value = 1; value <= count; value++) ring.add(value);
  assert.deepEqual(ring.values(), expected);
});
