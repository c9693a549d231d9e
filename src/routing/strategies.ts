/**
 * How one of several admissible backends is chosen (spec §5). All strategies run in one pass over the
 * candidates and allocate nothing.
 *
 * @module
 */

import type { Backend } from "./backend.ts";
import { hashText, mixHashes } from "./hash.ts";

/** What a strategy may look at besides the candidates. */
export interface StrategyContext {
  /** Key id, else client address: callers with the same text go to the same backend. */
  readonly hashKey: string;
}

/** Chooses one of a non-empty list, in the order of the configuration. */
export interface Strategy {
  pick(candidates: readonly Backend[], context: StrategyContext): Backend;
}

/** The values of `selection_strategy`. */
export type StrategyName =
  | "RoundRobin"
  | "WeightedRoundRobin"
  | "LeastLatency"
  | "LeastSessions"
  | "ConsistentHash"
  | "Random";

/** What {@link createStrategy} takes besides the name. */
export interface StrategyOptions {
  /** For Random: a number from 0 up to 1, as `Math.random`. */
  readonly random: () => number;
}

/** Makes the strategy of that name. A reload that changes the strategy makes a new one. */
export function createStrategy(name: StrategyName, options: StrategyOptions): Strategy {
  switch (name) {
    case "RoundRobin":
      return new LeastRecent(() => 0);
    case "LeastSessions":
      return new LeastRecent((backend) => backend.sessions);
    case "LeastLatency":
      // Who was never measured is tried first, else it would never be.
      return new LeastRecent((backend) => backend.latency.averageMs ?? -1);
    case "WeightedRoundRobin":
      return new SmoothWeighted();
    case "ConsistentHash":
      return { pick: pickByHash };
    case "Random":
      return { pick: (candidates) => pickRandom(candidates, options.random) };
  }
}

/**
 * The lowest cost wins, and among equals the one whose last turn is longest ago. With equal costs that is
 * round robin, for every subset of the backends at once: a counter modulo the number of candidates would
 * favour some whenever requests for different models alternate or a backend drops out.
 */
class LeastRecent implements Strategy {
  readonly #costOf: (backend: Backend) => number;
  /** Number of the last turn given out. */
  #turn = 0;

  constructor(costOf: (backend: Backend) => number) {
    this.#costOf = costOf;
  }

  pick(candidates: readonly Backend[]): Backend {
    let best = first(candidates);
    let bestCost = this.#costOf(best);
    // Marks outlive a strategy: after a reload the new one goes on counting where they are.
    let turn = Math.max(this.#turn, best.marks.lastTurn);
    for (let index = 1; index < candidates.length; index++) {
      const backend = candidates[index];
      if (backend === undefined) break;
      if (backend.marks.lastTurn > turn) turn = backend.marks.lastTurn;
      const cost = this.#costOf(backend);
      const better = cost < bestCost ||
        (cost === bestCost && backend.marks.lastTurn < best.marks.lastTurn);
      if (better) {
        best = backend;
        bestCost = cost;
      }
    }
    this.#turn = turn + 1;
    best.marks.lastTurn = this.#turn;
    return best;
  }
}

/** Smooth weighted round robin, as nginx does it: 5, 1, 1 gives a a b a c a a. */
class SmoothWeighted implements Strategy {
  readonly #equal = new LeastRecent(() => 0);

  pick(candidates: readonly Backend[]): Backend {
    let total = 0;
    let best: Backend | null = null;
    for (let index = 0; index < candidates.length; index++) {
      const backend = candidates[index];
      if (backend === undefined) break;
      const { weight } = backend.config;
      if (weight <= 0) continue;
      total += weight;
      backend.marks.credit += weight;
      if (best === null || backend.marks.credit > best.marks.credit) best = backend;
    }
    if (best === null) return this.#equal.pick(candidates);
    best.marks.credit -= total;
    return best;
  }
}

/**
 * Rendezvous hashing: every caller ranks all backends by a hash of both, so that a backend that leaves
 * moves only its own callers, and one that comes takes an equal share from each.
 */
function pickByHash(candidates: readonly Backend[], context: StrategyContext): Backend {
  const keyHash = hashText(context.hashKey);
  let best = first(candidates);
  let bestScore = mixHashes(keyHash, best.nameHash);
  for (let index = 1; index < candidates.length; index++) {
    const backend = candidates[index];
    if (backend === undefined) break;
    const score = mixHashes(keyHash, backend.nameHash);
    if (score > bestScore) {
      best = backend;
      bestScore = score;
    }
  }
  return best;
}

function pickRandom(candidates: readonly Backend[], random: () => number): Backend {
  return candidates[Math.floor(random() * candidates.length)] ?? first(candidates);
}

function first(candidates: readonly Backend[]): Backend {
  const backend = candidates[0];
  if (backend === undefined) throw new RangeError("A strategy needs at least one candidate");
  return backend;
}
