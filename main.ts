/**
 * The program: load the configuration, start the router, wait for a signal, drain.
 *
 * This is the only file that reads the command line and the environment.
 *
 * @module
 */

import { setTimeout as wait } from "node:timers/promises";
import manifest from "./deno.json" with { type: "json" };
import {
  ConfigError,
  type ConfiguredCommand,
  HELP,
  issueLine,
  loadConfig,
  type LoadedConfig,
  parseCommand,
  printConfig,
} from "./src/config/mod.ts";
import { logOf, setUpLogging } from "./src/observability/mod.ts";
import {
  isHealthy,
  readTlsIdentity,
  type Router,
  runtimeProblem,
  startPermissions,
  startRouter,
  startWarnings,
  trustProblem,
} from "./src/router/mod.ts";

const FINE = 0;
const FAILURE = 1;
const BAD_CONFIGURATION = 2;
/**
 * Signals so close together are one: whoever signals a whole group of processes reaches a program that `deno task`
 * has started twice, once by itself and once through the task.
 */
const ONE_SIGNAL_MS = 20;
/** Variables that the program reads by itself. */
const OWN_VARIABLES = ["HOME", "DENO_TLS_CA_STORE"];

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  const command = parseCommand(args);
  if (command.kind === "help") return print(HELP);
  if (command.kind === "version") return print(`realtime-router ${manifest.version}\n`);
  if (command.kind === "usage-error") return complain(command.message, BAD_CONFIGURATION);
  try {
    return await withConfiguration(command);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return complain(error.issues.map(issueLine).join("\n"), BAD_CONFIGURATION);
  }
}

/** @throws {ConfigError} When the configuration cannot be used, or not for that. */
async function withConfiguration(command: ConfiguredCommand): Promise<number> {
  const load = () => loadFile(command.configPath);
  const loaded = await load();
  switch (command.kind) {
    case "check":
      return print([`${loaded.path}: valid`, ...warningLines(loaded)].join("\n") + "\n");
    case "print-config":
      return print(printConfig(loaded.config));
    case "print-permissions":
      return print(`${startPermissions(loaded, { variables: OWN_VARIABLES }).join(" ")}\n`);
    case "healthcheck":
      return await isHealthy(loaded.config) ? FINE : FAILURE;
    case "run":
      return await run(loaded, load);
  }
}

function loadFile(path: string | undefined): Promise<LoadedConfig> {
  return loadConfig({
    ...path === undefined ? {} : { path },
    readTextFile: Deno.readTextFile,
    get: (name) => Deno.env.get(name),
    home: Deno.env.get("HOME") ?? "",
  });
}

async function run(loaded: LoadedConfig, load: () => Promise<LoadedConfig>): Promise<number> {
  const { config, modelMetadata } = loaded;
  await writeLog(config);
  const log = logOf("main");
  for (const line of warningLines(loaded)) log.warn(line);
  const problem = runtimeProblem(Deno.version.deno) ?? untrusted(loaded);
  if (problem !== undefined) return complain(problem, FAILURE);
  // From now on a signal is heard, so that one during the start is not lost and leaves nothing behind.
  const signalled = firstSignal();
  let router: Router | undefined;
  // What is wrong with a file is logged where it is found; the running configuration stays.
  if (Deno.build.os !== "windows") {
    Deno.addSignalListener("SIGHUP", () => void router?.reload().catch(() => {}));
  }
  try {
    const tls = await readTlsIdentity(config, Deno.readTextFile);
    router = await startRouter(config, {
      version: manifest.version,
      modelMetadata,
      ...tls === undefined ? {} : { tls },
      loadConfig: () => loadAgain(load),
      onReload: writeLog,
    });
  } catch (error) {
    return complain(error instanceof Error ? error.message : String(error), FAILURE);
  }
  for (const { hostname, port } of router.addresses) log.info("listening", { hostname, port });
  for (const { hostname, port } of router.adminAddresses) {
    log.info("listening for operators", { hostname, port });
  }
  const signal = await signalled;
  log.info("draining", { signal, sessions: router.sessions.size });
  await router.drain();
  log.info("stopped");
  return FINE;
}

/**
 * A configuration for a reload, whose warnings are logged as those of a start.
 *
 * @throws {ConfigError} When it is not valid, or one that a start would refuse.
 */
async function loadAgain(load: () => Promise<LoadedConfig>): Promise<LoadedConfig> {
  const loaded = await load();
  const problem = untrusted(loaded);
  if (problem !== undefined) throw new ConfigError([{ path: "", message: problem }]);
  for (const line of warningLines(loaded)) logOf("reload").warn(line);
  return loaded;
}

function untrusted(loaded: LoadedConfig): string | undefined {
  return trustProblem(loaded, Deno.env.get("DENO_TLS_CA_STORE"));
}

async function writeLog({ logging }: LoadedConfig["config"]): Promise<void> {
  const encoder = new TextEncoder();
  await setUpLogging({ ...logging, write: (line) => Deno.stdout.writeSync(encoder.encode(line)) });
}

function warningLines(loaded: LoadedConfig): readonly string[] {
  return startWarnings(loaded, { unixNowMs: Date.now() }).map(issueLine);
}

/** Resolves at the first SIGTERM or SIGINT; a later one exits at once. */
async function firstSignal(): Promise<string> {
  const first = Promise.withResolvers<string>();
  let isHeard = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, () => {
      if (isHeard) Deno.exit(FAILURE);
      first.resolve(signal);
    });
  }
  const signal = await first.promise;
  await wait(ONE_SIGNAL_MS);
  isHeard = true;
  return signal;
}

function print(text: string): number {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
  return FINE;
}

function complain(message: string, exitCode: number): number {
  Deno.stderr.writeSync(new TextEncoder().encode(`realtime-router: ${message}\n`));
  return exitCode;
}
