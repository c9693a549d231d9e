import assert from "node:assert/strict";
import { benchmarksPage, resultsPage } from "../../../bench/report/page.ts";
import { plotsOf } from "../../../bench/report/plots.ts";
import { readResults, RESULTS_FOLDER } from "../../../bench/report/stored.ts";
import { faultsOf } from "../../../bench/report/validity.ts";

const RESULTS = await readResults("results.json");

Deno.test("benchmarks.md: is what deno task bench:report writes", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/benchmarks.md", RESULTS_FOLDER));
  assert.equal(page, benchmarksPage(RESULTS));
});

Deno.test({
  name: "bench/results: the tables and the plots are there",
  // There is nothing to show before the first run.
  ignore: RESULTS === undefined,
  fn: async () => {
    assert.ok(RESULTS !== undefined);
    const tables = await Deno.readTextFile(new URL("results.md", RESULTS_FOLDER));
    assert.equal(tables, resultsPage(RESULTS));
    for (const { name } of plotsOf(RESULTS)) {
      const svg = await Deno.readTextFile(new URL(`${name}.svg`, RESULTS_FOLDER));
      assert.match(svg, /^<svg/);
    }
  },
});

Deno.test({
  name: "bench/results: nothing of a quick run or of a busy machine is kept",
  ignore: RESULTS === undefined,
  fn: () => {
    assert.equal(RESULTS?.quick, false);
    assert.deepEqual(faultsOf(RESULTS), []);
  },
});
