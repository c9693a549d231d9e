/**
 * Subjects that are programs of this repository, under the permissions of `deno task start`.
 *
 * @module
 */

import type { Launch, Subject } from "./subject.ts";

const PERMISSIONS = ["--allow-net", "--allow-read", "--allow-env", "--allow-write"];

/** Runs a file of `programs/` with arguments. */
export function denoProgram(file: string, args: readonly string[]): Launch {
  const path = new URL(`../programs/${file}`, import.meta.url).pathname;
  return { command: [Deno.execPath(), "run", "--no-prompt", ...PERMISSIONS, path, ...args] };
}

/** The version of Deno, which is theirs. */
export const DENO_VERSION: NonNullable<Subject["version"]> = {
  command: [Deno.execPath(), "--version"],
  pattern: /^deno (\S+)/,
};
