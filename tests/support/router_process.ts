/**
 * The router as a process of its own.
 *
 * @module
 */

import { Program, type ProgramOptions } from "./program.ts";
import type { TempDir } from "./temp_dir.ts";

/** What a {@link RouterProcess} is started with. */
export interface RouterProcessOptions
  extends Pick<ProgramOptions, "env" | "permissions" | "maxDescriptors"> {
  /** The configuration. Its section `server` may come from {@link serverSection}. @default logs at `trace` */
  readonly yaml: string;
}

/** A router that listens. */
export interface RouterProcess extends AsyncDisposable {
  readonly program: Program;
  readonly port: number;
  /** The sample of `/metrics`. */
  metrics(): Promise<string>;
}

/** `server` for a router that keeps to `dir` and takes a free port. */
export function serverSection(dir: TempDir, options: { readonly port?: number } = {}): string {
  return `server: { bind_address: "127.0.0.1:${options.port ?? 0}", ` +
    `runtime_dir: "${dir.at("run")}", drain_timeout: "0" }`;
}

/** What a router needs that has all its files in `dir`. */
export function routerPermissions(dir: TempDir): readonly string[] {
  return [
    "--allow-net",
    `--allow-read=${dir.path}`,
    `--allow-write=${dir.at("run")}`,
    "--allow-env=HOME,DENO_TLS_CA_STORE",
  ];
}

/** Starts `main.ts` and waits until it listens. */
export async function startRouterProcess(
  dir: TempDir,
  options: RouterProcessOptions,
): Promise<RouterProcess> {
  const { yaml, permissions = routerPermissions(dir), env = {}, maxDescriptors } = options;
  const logging = /^logging:/m.test(yaml) ? "" : "\nlogging: { level: trace }\n";
  const config = await dir.write("config.yaml", yaml + logging);
  const program = new Program({
    args: ["--config", config],
    permissions,
    env,
    ...maxDescriptors === undefined ? {} : { maxDescriptors },
  });
  try {
    const port = await program.port();
    return {
      program,
      port,
      metrics: async () => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}
