/**
 * Sums the tests of a run whose steps left their outputs in the folder given as argument. The last line it
 * prints is `N passed, N failed`; it exits 1 when anything failed or nothing ran.
 *
 * @module
 */

import { countRun, reportLines } from "./results/count.ts";
import { readSteps } from "./results/read.ts";

const steps = await readSteps(Deno.args[0] ?? ".");
Deno.stdout.writeSync(new TextEncoder().encode(`${reportLines(steps).join("\n")}\n`));
if (countRun(steps).failed > 0) Deno.exit(1);
