/**
 * `deno run bench/choose.ts`: what choosing among 100 backends costs, for every strategy (budget: under
 * 5 µs).
 *
 * @module
 */

import {
  Backend,
  chooseBackend,
  type ChooseOptions,
  createStrategy,
  type StrategyName,
} from "../src/routing/mod.ts";
import { backendConfig } from "../tests/support/live_backends.ts";

const BACKENDS = 100;
const CALLS = 100_000;
const ROUNDS = 9;
const BUDGET_MICROS = 5;
const STRATEGIES: readonly StrategyName[] = [
  "RoundRobin",
  "WeightedRoundRobin",
  "LeastLatency",
  "LeastSessions",
  "ConsistentHash",
  "Random",
];

const backends = Array.from({ length: BACKENDS }, (_, index) => makeBackend(`backend-${index}`));
const everyOther = new Set(backends.filter((_, index) => index % 2 === 0).map(({ name }) => name));

for (const strategy of STRATEGIES) print(strategy, choosing(strategy));
print("… with allowed_backends", choosing("RoundRobin", { allowedBackends: everyOther }));
print("… with x-backend", choosing("RoundRobin", { preferredBackend: `backend-${BACKENDS - 1}` }));

function choosing(name: StrategyName, changes: Partial<ChooseOptions> = {}): ChooseOptions {
  return {
    strategy: createStrategy(name, { random: Math.random }),
    hashKey: "key-1",
    allowedBackends: null,
    preferredBackend: null,
    nowMs: 0,
    ...changes,
  };
}

/** Chooses and settles, as a request does; the median of the rounds. */
function microsPerChoice(options: ChooseOptions): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const beganMs = performance.now();
    for (let call = 0; call < CALLS; call++) chooseBackend(backends, options).slot.success(0);
    return (performance.now() - beganMs) * 1_000 / CALLS;
  });
  return rounds.toSorted((one, other) => one - other)[(ROUNDS - 1) / 2] ?? NaN;
}

function print(name: string, options: ChooseOptions): void {
  const micros = microsPerChoice(options);
  const verdict = micros < BUDGET_MICROS ? "" : `  over the budget of ${BUDGET_MICROS} µs`;
  const line = `${name.padEnd(24)} ${micros.toFixed(2)} µs${verdict}\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(line));
}

function makeBackend(name: string): Backend {
  return new Backend(backendConfig(name, { models: ["m"] }));
}
