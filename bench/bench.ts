/**
 * `deno task bench`: what the router costs beside other relays, in one run on one machine.
 *
 * @module
 */

import { choose, readArguments } from "./plan/arguments.ts";
import { FULL, loadsOf, QUICK } from "./plan/loads.ts";
import { faultsOf } from "./report/validity.ts";
import { loadSubjects } from "./run/adapters.ts";
import { runBenchmark } from "./run/benchmark.ts";

const asked = readArguments(Deno.args);
const all = await loadSubjects();
const subjects = asked.subjects === undefined
  ? all.filter(({ onRequest = false }) => !onRequest)
  : choose(all, asked.subjects);
const loads = loadsOf(asked.quick ? QUICK : FULL);
const results = await runBenchmark({
  subjects,
  loads: asked.loads === undefined ? loads : choose(loads, asked.loads),
  rounds: asked.rounds,
  quick: asked.quick,
  onSample: ({ subject, load, round, figures }) => {
    const shown = Object.entries(figures).map(([name, value]) => `${name} ${value.toPrecision(4)}`);
    print(`${round} ${load} ${subject}: ${shown.join(", ")}`);
  },
});
for (const { name, reason } of results.leftOut) print(`left out: ${name}: ${reason}`);
for (const fault of faultsOf(results)) print(`fault: ${fault}`);

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
