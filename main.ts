/**
 * The program: load the configuration, start the router, wait for a signal, drain.
 *
 * This is the only file that reads the command line and the environment.
 *
 * @module
 */

import manifest from "./deno.json" with { type: "json" };
import {
  ConfigError,
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
/** Variables that the program reads by itself. */
const OWN_VARIABLES = ["HOME", "DENO_TLS_CA_STORE"];

if (import.meta.main) Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  const command = parseCommand(args);
  if (command.kind === "help") return print(HELP);
  if (command.kind === "version") return print(`realtime-router ${manifest.version}\n`);
  if (command.kind === "usage-error") return complain(command.message, BAD_CONFIGURATION);
  const load = () => loadFile(command.configPath);
  let loaded: LoadedConfig;
  try {
    loaded = await load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return complain(error.issues.map(issueLine).join("\n"), BAD_CONFIGURATION);
  }
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
  const problem = runtimeProblem(Deno.version.deno) ??
    trustProblem(loaded, Deno.env.get("DENO_TLS_CA_STORE"));
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
      loadConfig: load,
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

async function writeLog({ logging }: LoadedConfig["config"]): Promise<void> {
  const encoder = new TextEncoder();
  await setUpLogging({ ...logging, write: (line) => Deno.stdout.writeSync(encoder.encode(line)) });
}

function warningLines(loaded: LoadedConfig): readonly string[] {
  return startWarnings(loaded, { unixNowMs: Date.now() }).map(issueLine);
}

/** Resolves at the first SIGTERM or SIGINT; a second one exits at once. */
async function firstSignal(): Promise<string> {
  const first = Promise.withResolvers<string>();
  let signals = 0;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.addSignalListener(signal, () => {
      if (++signals > 1) Deno.exit(FAILURE);
      first.resolve(signal);
    });
  }
  return await first.promise;
}

function print(text: string): number {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
  return FINE;
}

function complain(message: string, exitCode: number): number {
  Deno.stderr.writeSync(new TextEncoder().encode(`realtime-router: ${message}\n`));
  return exitCode;
}
