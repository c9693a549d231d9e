/**
 * Rounds after those of all loads, where they tell most.
 *
 * @module
 */

import type { Load } from "../plan/loads.ts";
import { cellsOf } from "../report/aggregate.ts";
import { CERTAIN, leastCertain } from "../report/certainty.ts";
import type { Sample } from "../report/figures.ts";
import type { Asked } from "./sampler.ts";
import type { Subject } from "./subject.ts";

/** What decides over further rounds. */
export interface FurtherRoundsOptions {
  readonly subjects: readonly Subject[];
  /** Those that there are. It grows by every round that is given. */
  readonly samples: readonly Sample[];
  /** Whether no more is to be begun. */
  readonly isOver: () => boolean;
}

/**
 * One round of one load after the other, each of the load of which the least is known by then; until all
 * ratios are certain or it is over. Only subjects that are in between take part.
 */
export function* furtherRounds(
  { loads, rounds }: { readonly loads: readonly Load[]; readonly rounds: number },
  { subjects, samples, isOver }: FurtherRoundsOptions,
): Generator<readonly Asked[]> {
  const relays = subjects.filter(({ launch }) => launch !== undefined);
  for (let round = rounds + 1; !isOver(); round++) {
    const least = leastCertain({ cells: cellsOf(samples), loads });
    if (least === undefined || least.error <= CERTAIN) return;
    const load = loads.find(({ name }) => name === least.load)!;
    yield relays.map((subject) => ({ subject, load, round }));
  }
}
