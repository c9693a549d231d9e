/**
 * Programs of this project as processes of their own, with exactly the permissions and the environment that
 * a test gives them.
 *
 * All that the router writes is looked through, and of other programs what looks like a line of its log.
 *
 * Needs run permission for Deno itself, and to read the variables in {@link CACHE_VARIABLES}.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { secretsOfFile } from "./config_secrets.ts";
import { neverToBeLogged, watchLine } from "./log_watch.ts";

/** What is run and how. */
export interface ProgramOptions {
  /** What Deno does with it. @default {"run"} */
  readonly command?: "run" | "test";
  /** Path of the module from the root of the project. @default {"main.ts"} */
  readonly entry?: string;
  /** Arguments of the program. @default {[]} */
  readonly args?: readonly string[];
  /** Deno's permission flags. @default {[]} none */
  readonly permissions?: readonly string[];
  /** The environment; nothing else is inherited but where Deno keeps its cache. @default {{}} */
  readonly env?: Readonly<Record<string, string>>;
  /** Open files that it may have at a time; needs run permission for `sh`. @default {undefined} as many as here */
  readonly maxDescriptors?: number;
}

/** How a program ended. */
export interface ProgramResult {
  readonly code: number;
  /** The signal that ended it, null for none. */
  readonly signal: Deno.Signal | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A line of the router's log. */
export interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Where Deno's cache is depends on these. */
export const CACHE_VARIABLES = ["HOME", "DENO_DIR", "XDG_CACHE_HOME"] as const;

const ROUTER = "main.ts";
/** A program that still runs then hangs, and is killed. */
const MAX_RUN_MS = 30_000;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface Waiter {
  readonly wanted: (record: LogRecord) => boolean;
  readonly found: (record: LogRecord) => void;
  readonly failed: (error: Error) => void;
}

/** Runs a program to its end. */
export async function runProgram(options: ProgramOptions): Promise<ProgramResult> {
  await using program = new Program(options);
  return await program.finished;
}

/** A program that runs. */
export class Program implements AsyncDisposable {
  /** Resolves when the program has ended. */
  readonly finished: Promise<ProgramResult>;
  readonly #child: Deno.ChildProcess;
  readonly #isRouter: boolean;
  readonly #records: LogRecord[] = [];
  readonly #waiters = new Set<Waiter>();
  #ended = false;

  constructor(options: ProgramOptions) {
    this.#isRouter = (options.entry ?? ROUTER) === ROUTER;
    if (this.#isRouter) neverToBeLogged(...secretsOf(options));
    this.#child = commandOf(options).spawn();
    this.finished = this.#watch();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Every line of the log so far. */
  get records(): readonly LogRecord[] {
    return this.#records;
  }

  /**
   * The first line of the log that is wanted, which may have been written already. A text stands for its `msg`.
   *
   * @throws {Error} When the program ends without it; the message has what it wrote to standard error.
   */
  record(wanted: string | ((record: LogRecord) => boolean)): Promise<LogRecord> {
    const matches = typeof wanted === "string"
      ? (record: LogRecord) => record.msg === wanted
      : wanted;
    const known = this.#records.find(matches);
    if (known !== undefined) return Promise.resolve(known);
    const { promise, resolve, reject } = Promise.withResolvers<LogRecord>();
    this.#waiters.add({ wanted: matches, found: resolve, failed: reject });
    if (this.#ended) this.#giveUp("the program has ended already");
    return promise;
  }

  /** The port that a router listens on, as soon as it does. */
  async port(): Promise<number> {
    return Number((await this.record("listening"))["port"]);
  }

  /** Sends a signal. */
  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Sends a signal and waits for the end. */
  async end(signal: Deno.Signal = "SIGTERM"): Promise<ProgramResult> {
    this.#kill(signal);
    return await this.finished;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
  }

  async #watch(): Promise<ProgramResult> {
    const watchdog = setTimeout(() => this.#kill("SIGKILL"), MAX_RUN_MS);
    const [stdout, stderr, status] = await Promise.all([
      this.#readOutput(),
      new Response(this.#child.stderr).text(),
      this.#child.status,
    ]);
    clearTimeout(watchdog);
    if (this.#isRouter) stderr.split("\n").forEach(watchLine);
    this.#ended = true;
    this.#giveUp(`the program ended with ${status.code} before that: ${stderr}`);
    return { code: status.code, signal: status.signal, stdout, stderr };
  }

  #kill(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  async #readOutput(): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    let lineStart = 0;
    for await (const chunk of this.#child.stdout) {
      text += decoder.decode(chunk, { stream: true });
      for (let end; (end = text.indexOf("\n", lineStart)) !== -1; lineStart = end + 1) {
        this.#take(text.slice(lineStart, end));
      }
    }
    if (this.#isRouter) watchLine(text.slice(lineStart));
    return text;
  }

  #take(line: string): void {
    const isRecord = line.startsWith("{");
    const isLogged = this.#isRouter || (isRecord && line.includes('"level":'));
    if (isLogged) watchLine(line);
    if (!isRecord) return;
    const record: LogRecord = JSON.parse(line);
    this.#records.push(record);
    for (const waiter of this.#waiters) {
      if (!waiter.wanted(record)) continue;
      this.#waiters.delete(waiter);
      waiter.found(record);
    }
  }

  #giveUp(why: string): void {
    for (const { failed } of this.#waiters) failed(new Error(why));
    this.#waiters.clear();
  }
}

/** What is in the file that `--config` names; none when it is not there. */
function secretsOf({ args = [], env = {} }: ProgramOptions): readonly string[] {
  const path = args[args.indexOf("--config") + 1];
  if (!args.includes("--config") || path === undefined) return [];
  try {
    return secretsOfFile(Deno.readTextFileSync(path), env);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The lock and the cache must have all that the program needs: a test downloads nothing. */
function commandOf(options: ProgramOptions): Deno.Command {
  const { command = "run", entry = ROUTER, args = [], permissions = [], env = {}, maxDescriptors } =
    options;
  const cache = CACHE_VARIABLES.map((name) => [name, Deno.env.get(name)] as const)
    .filter((pair): pair is readonly [typeof pair[0], string] => pair[1] !== undefined);
  const flags = ["--no-prompt", "--cached-only", "--frozen", "--config", "deno.json"];
  const deno = [Deno.execPath(), command, ...flags, ...permissions, entry, ...args];
  const [program = "", ...rest] = maxDescriptors === undefined
    ? deno
    : ["sh", "-c", `ulimit -n ${maxDescriptors} && exec "$0" "$@"`, ...deno];
  return new Deno.Command(program, {
    args: rest,
    cwd: ROOT,
    clearEnv: true,
    env: { NO_COLOR: "1", ...Object.fromEntries(cache), ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}
