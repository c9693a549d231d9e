/**
 * A subject as a running process.
 *
 * @module
 */

import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../tests/support/free_port.ts";
import { pinned } from "./pinning.ts";
import type { Subject } from "./subject.ts";

/** A subject that listens. */
export interface RunningSubject extends AsyncDisposable {
  readonly port: number;
  /** Undefined when nothing is in between. */
  readonly pid?: number;
  /** From its start until it took a connection. */
  readonly startMs?: number;
  /** Whether its process is there no more. */
  readonly hasEnded: () => boolean;
}

/** The core of the subject. */
export const SUBJECT_CORE = 0;
/** The core of the driver. */
export const DRIVER_CORE = 1;
const START_TIMEOUT_MS = 15_000;
const END_TIMEOUT_MS = 5_000;
const ASK_EVERY_MS = 5;

/**
 * Starts a subject in front of the backend.
 *
 * @throws {Error} When it ends, or does not listen in time.
 */
export async function startSubject(
  subject: Subject,
  { backendPort }: { readonly backendPort: number },
): Promise<RunningSubject> {
  if (subject.launch === undefined) {
    return {
      port: backendPort,
      hasEnded: () => false,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  await using started = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "rr-bench-" });
  started.defer(() => Deno.remove(folder, { recursive: true }));
  const port = freePort();
  const { command, files = {} } = subject.launch({ port, backendPort, folder });
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const [program, ...args] = await pinned(command, SUBJECT_CORE);
  const startedMs = performance.now();
  const child = new Deno.Command(program, { args, stdin: "null", stdout: "null" }).spawn();
  let ended = false;
  void child.status.then(() => ended = true);
  started.defer(() => end(child));
  while (!await listens(port)) {
    if (ended) throw new Error(`${subject.name} ended at once`);
    if (performance.now() - startedMs > START_TIMEOUT_MS) {
      throw new Error(`${subject.name} does not listen`);
    }
    await wait(ASK_EVERY_MS);
  }
  const startMs = performance.now() - startedMs;
  const running = started.move();
  return {
    port,
    pid: child.pid,
    startMs,
    hasEnded: () => ended,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function end(child: Deno.ChildProcess): Promise<void> {
  const kill = (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch {
      // It has ended already.
    }
  };
  kill("SIGTERM");
  const timer = setTimeout(() => kill("SIGKILL"), END_TIMEOUT_MS);
  await child.status;
  clearTimeout(timer);
}

async function listens(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}
