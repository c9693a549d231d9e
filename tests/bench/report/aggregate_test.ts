import assert from "node:assert/strict";
import { cellsOf } from "../../../bench/report/aggregate.ts";

Deno.test("cellsOf: medians and spreads of a subject under a load, over its rounds", () => {
  const sample = (subject: string, round: number, p50Ms: number) => ({
    ...{ subject, load: "storm", round, figures: { p50Ms } },
  });
  assert.deepEqual(
    cellsOf([sample("a", 1, 1), sample("b", 1, 7), sample("a", 2, 4), sample("a", 3, 2)]),
    [
      {
        ...{ subject: "a", load: "storm", figures: { p50Ms: 2 }, spread: { p50Ms: 1.5 } },
        rounds: [{ p50Ms: 1 }, { p50Ms: 4 }, { p50Ms: 2 }],
      },
      {
        ...{ subject: "b", load: "storm", figures: { p50Ms: 7 }, spread: { p50Ms: 0 } },
        rounds: [{ p50Ms: 7 }],
      },
    ],
  );
});

Deno.test("cellsOf: a figure that one round lacks is the median of the others", () => {
  const [cell] = cellsOf([
    { subject: "a", load: "idle", round: 1, figures: { p50Ms: 1 } },
    { subject: "a", load: "idle", round: 2, figures: { p50Ms: 3, startMs: 9 } },
  ]);
  assert.deepEqual(cell?.figures, { p50Ms: 2, startMs: 9 });
});
