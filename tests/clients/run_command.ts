/**
 * A client's process, from its start to its end.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** What is run and how. */
export interface CommandOptions {
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How it ended. */
export interface CommandResult {
  /** 137 when it had to be killed. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One that still runs then hangs, and is killed. */
const MAX_RUN_MS = 60_000;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Runs a program in the root of the project. */
export async function runCommand(
  program: string,
  { args, env = {} }: CommandOptions,
): Promise<CommandResult> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd: ROOT,
    clearEnv: true,
    env: { ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const watchdog = setTimeout(() => child.kill("SIGKILL"), MAX_RUN_MS);
  const { code, stdout, stderr } = await child.output();
  clearTimeout(watchdog);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
