/**
 * `deno task bench:report`: tables and plots of `bench/results/results.json`, and `docs/benchmarks.md`.
 *
 * @module
 */

import { draw } from "./report/draw.ts";
import { benchmarksPage, resultsPage } from "./report/page.ts";
import { plotsOf } from "./report/plots.ts";
import { readResults, RESULTS_FOLDER } from "./report/stored.ts";

const results = await readResults("results.json");
await Deno.writeTextFile(
  new URL("../docs/benchmarks.md", import.meta.url),
  benchmarksPage(results),
);
if (results !== undefined) {
  await Deno.writeTextFile(new URL("results.md", RESULTS_FOLDER), resultsPage(results));
  for (const plot of plotsOf(results)) {
    await Deno.writeTextFile(new URL(`${plot.name}.svg`, RESULTS_FOLDER), draw(plot));
  }
}
