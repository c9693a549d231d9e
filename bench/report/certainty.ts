/**
 * How well a run knows its ratios, and where another round tells most.
 *
 * @module
 */

import type { Results } from "./figures.ts";
import { isHeld, ratiosOf } from "./ratios.ts";

/**
 * A standard error with which a ratio is known well enough, as a share of it. Two runs that know theirs so well
 * differ by 4 % or less in two of three cases, and by more than 15 % in one of a thousand.
 */
export const CERTAIN = 0.03;

/** What is known of the ratios of a load that have to agree. */
export interface Certainty {
  readonly load: string;
  /** The greatest standard error of one of them, as a share of it. */
  readonly error: number;
}

/** The load of which the least is known; undefined when no ratio has to agree. */
export function leastCertain(results: Pick<Results, "cells" | "loads">): Certainty | undefined {
  return ratiosOf(results)
    .filter(isHeld)
    .reduce<Certainty | undefined>(
      (least, { load, error }) => error > (least?.error ?? -1) ? { load, error } : least,
      undefined,
    );
}
