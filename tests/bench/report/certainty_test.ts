import assert from "node:assert/strict";
import { leastCertain } from "../../../bench/report/certainty.ts";
import type { Figures } from "../../../bench/report/figures.ts";
import { cell, results } from "./results_fixture.ts";

/** The cells of nginx, always the same, and of a router with those rounds. */
function cells(load: string, rounds: readonly Figures[]) {
  const same = rounds.map((round) =>
    Object.fromEntries(Object.keys(round).map((metric) => [metric, 1]))
  );
  return [
    { ...cell({ subject: "nginx", load }, same[0]!), rounds: same },
    { ...cell({ subject: "router", load }, rounds[0]!), rounds },
  ];
}

function costs(...values: readonly number[]): readonly Figures[] {
  return values.map((cpuMicrosPerMessage) => ({ cpuMicrosPerMessage }));
}

Deno.test("leastCertain: the load whose rounds lie the farthest apart", () => {
  const least = leastCertain(results({
    cells: [
      ...cells("closed-2500x1", costs(3, 3.1)),
      ...cells("voice-32", costs(3, 3.5)),
      ...cells("voice-256", costs(3, 3.2)),
    ],
  }));
  assert.equal(least?.load, "voice-32");
  // Half of the difference of two logarithms.
  assert.ok(Math.abs(least.error - Math.log(3.5 / 3) / 2) < 1e-9, `${least.error}`);
});

Deno.test("leastCertain: more rounds are more certain", () => {
  const error = (...values: readonly number[]) =>
    leastCertain(results({ cells: cells("voice-32", costs(...values)) }))?.error ?? NaN;
  assert.ok(error(3, 4, 3, 4) < error(3, 4));
  assert.equal(error(3), Infinity);
});

Deno.test("leastCertain: not of what another run need not say", () => {
  const p99 = [{ p99Ms: 1, cpuMicrosPerMessage: 3 }, { p99Ms: 9, cpuMicrosPerMessage: 3 }];
  assert.equal(leastCertain(results({ cells: cells("voice-32", p99) }))?.error, 0);
  assert.equal(leastCertain(results({ cells: [] })), undefined);
});
