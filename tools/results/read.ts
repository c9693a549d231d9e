/**
 * Reads what the steps of a run left behind: for each a folder, named by its number, with the files `name`,
 * `output` and, once it ended, `status`.
 *
 * @module
 */

import type { StepResult } from "./count.ts";

/** The steps in `folder`, in their order. */
export async function readSteps(folder: string): Promise<readonly StepResult[]> {
  const numbers = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => Number(name));
  return await Promise.all(
    numbers.sort((a, b) => a - b).map((number) => readStep(`${folder}/${number}`)),
  );
}

async function readStep(folder: string): Promise<StepResult> {
  const [name, output, status] = await Promise.all(
    ["name", "output", "status"].map((file) => readIfThere(`${folder}/${file}`)),
  );
  return {
    name: name ?? "",
    output: output ?? "",
    exitCode: status === null || status === undefined ? null : Number(status),
  };
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
