import assert from "node:assert/strict";
import { Cost } from "../../../bench/driver/measure.ts";

Deno.test("Cost: others used nothing, rather than less, where the system's clock is coarse", () => {
  const cost = new Cost(1, { driverMicros: 0, othersMicros: -10_000 });
  assert.deepEqual(cost.figures(1), { driverShare: 0, othersShare: 0 });
});

Deno.test("Cost.plus: what one time lacks of others, another has too much", () => {
  const cost = new Cost(1, { driverMicros: 0, othersMicros: -10_000 });
  const both = cost.plus(new Cost(1, { driverMicros: 0, othersMicros: 50_000 }));
  assert.equal(both.figures(1).othersShare, 0.02);
});
