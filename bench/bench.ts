/**
 * `deno task bench`: what the router costs beside other relays, in one run on one machine. Exits 1 when the
 * figures of the run cannot be used.
 *
 * @module
 */

import { choose, readArguments, USAGE } from "./plan/arguments.ts";
import { FULL, loadsOf, QUICK } from "./plan/loads.ts";
import { comparisonLines, differencesOf, disagreements } from "./report/compare.ts";
import type { Results } from "./report/figures.ts";
import { benchmarksPage } from "./report/page.ts";
import { sampleLine } from "./report/progress.ts";
import { writeResults } from "./report/stored.ts";
import { loadTables } from "./report/tables.ts";
import { faultsOf, withholdDriverBound } from "./report/validity.ts";
import { loadSubjects } from "./run/adapters.ts";
import { type BenchmarkPlan, runBenchmark } from "./run/benchmark.ts";

/** Results whose figures cannot be used, to see why. */
const REJECTED = "rejected.local.json";
/** Of two runs: the first, and the second when it says something else. */
const FIRST = "first.local.json";
const SECOND = "second.local.json";

if (Deno.args.includes("--help")) {
  print(USAGE);
  Deno.exit(0);
}
/** How often a disturbed sample is taken again. */
const REPEATS = 3;

const asked = orExit(() => readArguments(Deno.args));
const all = await loadSubjects();
const loads = loadsOf(asked.quick ? QUICK : FULL);
const plan: BenchmarkPlan = orExit(() => ({
  subjects: asked.subjects === undefined
    ? all.filter(({ onRequest = false }) => !onRequest)
    : choose(all, asked.subjects),
  loads: asked.loads === undefined ? loads : choose(loads, asked.loads),
  rounds: asked.rounds,
  minutes: asked.minutes,
  quick: asked.quick,
  repeats: asked.quick ? 0 : REPEATS,
  onSample: (sample) => print(sampleLine(sample)),
}));
const results = await usableRun();
if (asked.repeat) {
  await writeResults(FIRST, results);
  const again = await usableRun();
  const differences = differencesOf(results, again);
  comparisonLines(differences).forEach(print);
  if (disagreements(differences).length > 0) {
    await writeResults(SECOND, again);
    Deno.exit(1);
  }
  await keep(again);
} else await keep(results);

/** What `read` makes of the arguments; ends the program with 2 when they are not valid. */
function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    print(`${error.message}\n\n${USAGE}`);
    Deno.exit(2);
  }
}

/** Runs the plan; ends the program when the run measured something else than its subjects. */
async function usableRun(): Promise<Results> {
  const measured = await runBenchmark(plan);
  const run = withholdDriverBound(measured);
  for (const { name, reason } of run.leftOut) print(`left out: ${name}: ${reason}`);
  for (const { subject, load } of run.withheld) print(`withheld: times of ${subject}, ${load}`);
  const faults = faultsOf(measured);
  for (const fault of faults) print(`${asked.quick ? "not a measurement" : "fault"}: ${fault}`);
  if (asked.quick || faults.length === 0) return run;
  await writeResults(REJECTED, measured);
  print(`the figures cannot be used; they are in bench/results/${REJECTED}`);
  Deno.exit(1);
}

async function keep(run: Results): Promise<void> {
  print(`\n${loadTables(run)}`);
  // A quick run also shows that the page can be written.
  if (asked.quick) benchmarksPage(run);
  if (asked.output !== undefined) await writeResults(asked.output, run);
  print(`${run.seconds} s`);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
