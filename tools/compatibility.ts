/**
 * `deno task docs:clients`: writes `docs/compatibility.md` from the results of `tests/clients`. With a folder as
 * its argument it first takes over the results that a run has left there.
 *
 * @module
 */

import { clientFacts } from "./clients/client_facts.ts";
import { compatibilityPage } from "./clients/compatibility_page.ts";
import { gatherCells, MISSING_ROW, readResults, RESULTS_PATH } from "./clients/results.ts";
import { ROSTER } from "./clients/roster.ts";

const [folder] = Deno.args;
if (folder !== undefined) {
  const gathered = gatherCells(folder);
  const results = ROSTER.map(({ name }) => [
    name,
    gathered[name] ?? { [MISSING_ROW]: { plain: "its tests were left out" } },
  ]);
  const text = JSON.stringify(Object.fromEntries(results), null, 2);
  await Deno.writeTextFile(RESULTS_PATH, `${text}\n`);
}
const page = compatibilityPage(await clientFacts(), readResults());
await Deno.writeTextFile("docs/compatibility.md", page);
