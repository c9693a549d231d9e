/**
 * Results as files of `bench/results`.
 *
 * @module
 */

import type { Results } from "./figures.ts";

/** Where they lie. */
export const RESULTS_FOLDER = new URL("../results/", import.meta.url);

/** The results of that name; undefined when there are none. */
export async function readResults(name: string): Promise<Results | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(new URL(name, RESULTS_FOLDER)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Keeps results under that name. */
export async function writeResults(name: string, results: Results): Promise<void> {
  await Deno.mkdir(RESULTS_FOLDER, { recursive: true });
  const text = JSON.stringify(results, (_, value) => shortened(value), 2);
  await Deno.writeTextFile(new URL(name, RESULTS_FOLDER), `${text}\n`);
}

/** Five digits are more than a run is worth. */
function shortened(value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value)
    ? Number(value.toPrecision(5))
    : value;
}
