import assert from "node:assert/strict";
import type { Figures, Sample } from "../../../bench/report/figures.ts";
import { Sampler, type SamplingDriver } from "../../../bench/run/sampler.ts";

const ASKED = {
  subject: { name: "direct", title: "nothing", order: 1, path: "/" },
  load: { kind: "idle", name: "idle", sessions: 1, settleMs: 1 },
  round: 1,
} as const;

/** A driver whose samples are `figures`, and whose cores are as far apart as `distancesNs` says. */
function driver(
  figures: readonly Figures[],
  distancesNs: readonly number[] = [],
  rest: () => void = () => {},
): SamplingDriver {
  const [samples, distances] = [figures.values(), distancesNs.values()];
  return {
    rest: () => Promise.resolve(rest()),
    backendPort: 1,
    run: () => Promise.resolve(samples.next().value ?? assert.fail("one sample too many")),
    distanceNs: () => Promise.resolve(distances.next().value),
  };
}

function sampler(of: SamplingDriver, options: { readonly repeats?: number } = {}) {
  const taken: Sample[] = [];
  const waits: number[] = [];
  const made = new Sampler({
    driver: of,
    repeats: options.repeats ?? 3,
    onSample: (sample) => taken.push(sample),
    wait: (ms) => Promise.resolve(void waits.push(ms)),
  });
  return { made, taken, waits };
}

Deno.test("Sampler: takes a sample again while the machine disturbs it, and tells of every one", async () => {
  const figures = [{ coreDistanceNs: 50 }, { othersShare: 0.5 }, { coreDistanceNs: 400 }, {
    ...{ coreDistanceNs: 60, p50Ms: 1 },
  }];
  const { made, taken } = sampler(driver(figures));
  assert.deepEqual((await made.take(ASKED)).figures, figures[0]);
  assert.deepEqual((await made.take(ASKED)).figures, figures[3]);
  assert.equal(made.attempts, 4);
  assert.equal(taken.length, 4);
});

Deno.test("Sampler: after so many repeats the least disturbed counts", async () => {
  const figures = [0.9, 0.4, 0.6].map((othersShare) => ({ othersShare }));
  const { made } = sampler(driver(figures), { repeats: 2 });
  assert.deepEqual((await made.take(ASKED)).figures, figures[1]);
});

Deno.test("Sampler: a sample that looked undisturbed does not beside nearer cores", async () => {
  const { made } = sampler(driver([{ coreDistanceNs: 400 }, { coreDistanceNs: 50 }]));
  const first = await made.take(ASKED);
  assert.equal(made.isDisturbed(first), false);
  await made.take(ASKED);
  assert.equal(made.isDisturbed(first), true);
});

Deno.test("Sampler: waits for cores that were moved apart, and lets them sleep meanwhile", async () => {
  let rests = 0;
  const { made, waits } = sampler(driver([{}, {}], [50, 400, 400, 60], () => rests++));
  await made.take(ASKED);
  assert.deepEqual([waits, rests], [[], 0]);
  await made.take(ASKED);
  assert.deepEqual([waits, rests], [[500, 500], 2]);
});

Deno.test("Sampler: for ten minutes of a run at most", async () => {
  const { made, waits } = sampler(driver([{}, {}, {}], [50, ...Array<number>(5_000).fill(400)]));
  await made.take(ASKED);
  await made.take(ASKED);
  assert.equal(waits.length, 1_200);
  await made.take(ASKED);
  assert.equal(waits.length, 1_200);
});

Deno.test("Sampler: without repeats it neither waits nor asks", async () => {
  const { made, waits } = sampler(driver([{ othersShare: 1 }], [50, 400]), { repeats: 0 });
  await made.take(ASKED);
  assert.deepEqual(waits, []);
});
