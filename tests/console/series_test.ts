import assert from "node:assert/strict";
import { addSample, MAX_SAMPLES, sum } from "../../src/console/page/data/series.ts";
import { statistics } from "./state_fixture.ts";

Deno.test("addSample() says how much there was a second since the answer before", () => {
  const [sample] = addSample([], {
    before: statistics(10, { input: 100, output: 5, completed: 2, refused: 1 }),
    now: statistics(14, { input: 300, output: 5, completed: 4, refused: 2, p95: 80 }),
    unixMs: 2_500,
  });
  assert.deepEqual(sample, {
    at: 2.5,
    activeSessions: 7,
    endedRate: 0.5,
    refusedRate: 0.25,
    inputRate: 50,
    cachedRate: 0,
    outputRate: 0,
    p50: 40,
    p95: 80,
  });
});

Deno.test("addSample() says nothing of the first answer, nor across a restart", () => {
  assert.deepEqual(addSample([], { before: null, now: statistics(5), unixMs: 0 }), []);
  assert.deepEqual(addSample([], { before: statistics(9), now: statistics(1), unixMs: 0 }), []);
});

Deno.test("addSample() has no latency before there is one", () => {
  const [sample] = addSample([], { before: statistics(1), now: statistics(2), unixMs: 0 });
  assert.deepEqual([sample?.p50, sample?.p95], [null, null]);
});

Deno.test("addSample() keeps the newest samples", () => {
  let samples: ReturnType<typeof addSample> = [];
  for (let second = 1; second <= MAX_SAMPLES + 10; second++) {
    samples = addSample(samples, {
      before: statistics(second - 1),
      now: statistics(second),
      unixMs: second * 1_000,
    });
  }
  assert.deepEqual([samples.length, samples.at(-1)?.at], [MAX_SAMPLES, MAX_SAMPLES + 10]);
});

Deno.test("sum() adds counts up", () => {
  assert.deepEqual([sum({}), sum({ a: 1, b: 2 })], [0, 3]);
});
