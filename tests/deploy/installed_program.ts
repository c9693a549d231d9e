/**
 * Programs that are not part of the project: tests with them are left out where they are not installed.
 *
 * @module
 */

import { watchLine } from "../support/log_watch.ts";
import { CACHE_VARIABLES } from "../support/program.ts";

/** Where Debian's packages put the programs. */
export const PROGRAMS = {
  nginx: "/usr/sbin/nginx",
  promtool: "/usr/bin/promtool",
  caddy: "/usr/bin/caddy",
  "systemd-analyze": "/usr/bin/systemd-analyze",
  kubectl: "/usr/bin/kubectl",
} as const;

/** How a program ended. Both of its outputs are one text. */
export interface Output {
  readonly code: number;
  readonly text: string;
}

/** What is run and how. */
export interface RunOptions {
  readonly args: readonly string[];
  /** @default the test's own */
  readonly cwd?: string;
  /** Beside where Deno keeps its cache. @default {{}} */
  readonly env?: Readonly<Record<string, string>>;
  /** What it reads. @default nothing */
  readonly input?: string;
}

/** A program that still runs then hangs, and is killed. */
const MAX_RUN_MS = 120_000;

/** Options of a test that needs a program: left out, with the reason in its name, where there is none. */
export function needing(
  program: keyof typeof PROGRAMS,
  name: string,
): { readonly name: string; readonly ignore: boolean } {
  const ignore = !isInstalled(program);
  return { name: ignore ? `${name} (left out: ${program} is not installed)` : name, ignore };
}

function isInstalled(program: keyof typeof PROGRAMS): boolean {
  try {
    return Deno.statSync(PROGRAMS[program]).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Runs a program to its end, without the test's environment. */
export async function run(path: string, options: RunOptions): Promise<Output> {
  const child = new Deno.Command(path, {
    args: [...options.args],
    ...options.cwd === undefined ? {} : { cwd: options.cwd },
    clearEnv: true,
    env: programEnv(options.env),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(MAX_RUN_MS),
  }).spawn();
  const writer = child.stdin.getWriter();
  // A program that does not read ends the pipe.
  const written = writer.write(new TextEncoder().encode(options.input ?? ""))
    .then(() => writer.close()).catch(() => {});
  const [{ code, stdout, stderr }] = await Promise.all([child.output(), written]);
  const decoder = new TextDecoder();
  const text = decoder.decode(stdout) + decoder.decode(stderr);
  if (isRouter(options)) text.split("\n").forEach(watchLine);
  return { code, text };
}

/** Whether a program is the router, all of whose output is looked through. */
export function isRouter({ args }: Pick<RunOptions, "args">): boolean {
  const [command, task] = args;
  return command === "task"
    ? task === "start"
    : command === "run" && args.some((word) => word.endsWith("main.ts"));
}

/** The environment of a program: what is given, and where Deno keeps its cache. */
export function programEnv(
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const cache = CACHE_VARIABLES.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { NO_COLOR: "1", ...Object.fromEntries(cache), ...env };
}
