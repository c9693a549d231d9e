import assert from "node:assert/strict";
import { describeLoad, FULL, letsCoresSleep, loadsOf, QUICK } from "../../../bench/plan/loads.ts";

Deno.test("loadsOf: a full run has every load that is promised", () => {
  assert.deepEqual(loadsOf(FULL).map(describeLoad), [
    ...["200 B", "2.5 KB", "16 KB"].flatMap((size) =>
      [1, 4].map((inFlight) => `32 sessions, ${inFlight} in flight, ${size}`)
    ),
    "1,000 sessions, 1 in flight, 2.5 KB",
    ...["32", "256", "1,000"].map((sessions) => `paced voice, ${sessions} sessions`),
    ...["32", "1,000"].map((sessions) => `4,000 messages a second over ${sessions} sessions`),
    "storm of 1,000 sessions, 64 at once",
    "1,000 idle sessions",
  ]);
});

Deno.test("loadsOf: names are unique, and a quick run has some of them", () => {
  const names = loadsOf(FULL).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name } of loadsOf(QUICK)) assert.ok(names.includes(name), name);
});

Deno.test("letsCoresSleep: under the even loads only", () => {
  const names = loadsOf(FULL).filter(letsCoresSleep).map(({ name }) => name);
  assert.deepEqual(names, ["even-32", "even-1000"]);
});
