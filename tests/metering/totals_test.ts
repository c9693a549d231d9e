import assert from "node:assert/strict";
import { MAX_NAMES, OTHER_NAMES, Totals, TotalsByName } from "../../src/metering/totals.ts";
import { usageRecord } from "./record_fixture.ts";

Deno.test("Totals adds up requests, errors and tokens", () => {
  const totals = new Totals();
  totals.add(usageRecord({ input_tokens: 100, cached_input_tokens: 900, output_tokens: 50 }));
  totals.add(usageRecord({ outcome: "upstream_error" }));
  totals.add(usageRecord({ outcome: "client_cancelled", input_tokens: 1, output_tokens: 2 }));
  totals.add(usageRecord({ outcome: "length", cached_input_tokens: 3 }));
  assert.deepEqual(totals.snapshot(), {
    requests: 4,
    errors: 1,
    tokens: { input: 101, cached_input: 903, output: 52 },
  });
});

Deno.test("TotalsByName keeps names apart, whatever they are", () => {
  const byName = new TotalsByName();
  for (const name of ["b", "a", "__proto__", "constructor", "a"]) {
    byName.add(name, usageRecord({ output_tokens: 1 }));
  }
  const snapshot = byName.snapshot();
  assert.deepEqual(
    Object.entries(snapshot).map(([name, { requests, tokens }]) => [name, requests, tokens.output]),
    [["b", 1, 1], ["a", 2, 2], ["__proto__", 1, 1], ["constructor", 1, 1]],
  );
  assert.equal(Object.getPrototypeOf(snapshot), Object.prototype);
  assert.match(JSON.stringify(snapshot), /"__proto__":\{"requests":1/);
});

Deno.test("TotalsByName sums up the names beyond ten thousand in one", () => {
  assert.equal(MAX_NAMES, 10_000);
  const byName = new TotalsByName();
  for (let index = 0; index < MAX_NAMES + 500; index++) {
    byName.add(`model ${index}`, usageRecord({ input_tokens: 2 }));
  }
  byName.add("model 0", usageRecord({ input_tokens: 5 }));
  const snapshot = byName.snapshot();
  assert.equal(Object.keys(snapshot).length, MAX_NAMES + 1);
  assert.equal(snapshot["model 0"]?.tokens.input, 7);
  assert.equal(snapshot[OTHER_NAMES]?.requests, 500);
  assert.equal(snapshot[OTHER_NAMES]?.tokens.input, 1000);
});
