/**
 * Cells made of the samples of all rounds.
 *
 * @module
 */

import type { Cell, Figures, Metric, Sample } from "./figures.ts";
import { median, spread } from "./statistics.ts";

/** One cell for each subject and load, in the order of their first samples. */
export function cellsOf(samples: readonly Sample[]): readonly Cell[] {
  const groups = Map.groupBy(samples, ({ subject, load }) => `${subject} ${load}`);
  return [...groups.values()].map((group) => {
    const { subject, load } = group[0]!;
    const rounds = group.map((sample) => sample.figures);
    return { subject, load, figures: each(rounds, median), rounds, spread: each(rounds, spread) };
  });
}

/** A figure that a round has not is left out of that round only. */
function each(
  all: readonly Figures[],
  reduce: (values: readonly number[]) => number,
): Figures {
  const metrics = new Set(all.flatMap((figures) => Object.keys(figures) as Metric[]));
  return Object.fromEntries(
    [...metrics].map((metric) => [
      metric,
      reduce(all.map((figures) => figures[metric]).filter((value) => value !== undefined)),
    ]),
  );
}
