/**
 * `deno task bench:compare FIRST.json SECOND.json`: whether two results of `bench/results` give the same
 * ratios. Exits 1 when they do not.
 *
 * @module
 */

import { comparisonLines, differencesOf, disagreements } from "./report/compare.ts";
import { readResults } from "./report/stored.ts";

const [first, second] = await Promise.all(
  Deno.args.slice(0, 2).map(async (name) => {
    const results = await readResults(name);
    if (results === undefined) throw new Error(`there is no bench/results/${name}`);
    return results;
  }),
);
if (first === undefined || second === undefined) {
  throw new TypeError("usage: deno task bench:compare FIRST.json SECOND.json");
}
const differences = differencesOf(first, second);
Deno.stdout.writeSync(
  new TextEncoder().encode(`${comparisonLines(differences).join("\n")}\n`),
);
if (differences.length === 0 || disagreements(differences).length > 0) Deno.exit(1);
