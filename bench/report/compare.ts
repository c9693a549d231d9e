/**
 * Whether two runs say the same.
 *
 * @module
 */

import type { Results } from "./figures.ts";
import { isHeld, type Ratio, ratiosOf } from "./ratios.ts";

/** By how much the ratios of two runs may differ. */
export const TOLERANCE = 0.15;

/** A ratio in two runs. */
export interface Difference extends Pick<Ratio, "subject" | "load" | "metric"> {
  readonly first: number;
  readonly second: number;
  /** The greater over the lesser, less 1. */
  readonly difference: number;
  readonly isHeld: boolean;
}

/** Every ratio that both runs have, the widest apart first. */
export function differencesOf(
  first: Pick<Results, "cells" | "loads">,
  second: Pick<Results, "cells" | "loads">,
): readonly Difference[] {
  const others = new Map(ratiosOf(second).map((ratio) => [keyOf(ratio), ratio]));
  return ratiosOf(first).flatMap((ratio) => {
    const other = others.get(keyOf(ratio));
    if (other === undefined) return [];
    const { subject, load, metric, value } = ratio;
    return [{
      ...{ subject, load, metric, first: value, second: other.value },
      difference: Math.max(value, other.value) / Math.min(value, other.value) - 1,
      isHeld: isHeld(ratio) && isHeld(other),
    }];
  }).toSorted((one, another) => another.difference - one.difference);
}

/** Those that have to agree and do not. */
export function disagreements(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ isHeld, difference }) => isHeld && difference > TOLERANCE);
}

/** What the comparison of two runs comes to, as lines. */
export function comparisonLines(differences: readonly Difference[]): readonly string[] {
  if (differences.length === 0) return ["the runs have no ratio in common"];
  const failing = disagreements(differences);
  const held = differences.filter(({ isHeld }) => isHeld);
  return [
    `${held.length - failing.length} of ${held.length} ratios agree within ${TOLERANCE * 100} %`,
    ...(failing.length > 0 ? failing : held.slice(0, 3)).map((one) =>
      `${one.load}, ${one.subject}, ${one.metric}: ` +
      `${one.first.toFixed(2)} and ${one.second.toFixed(2)}, ` +
      `${(one.difference * 100).toFixed(0)} % apart`
    ),
  ];
}

function keyOf({ subject, load, metric }: Ratio): string {
  return `${subject} ${load} ${metric}`;
}
