/**
 * Keeping the cores awake while something is measured.
 *
 * @module
 */

import { linesOf } from "../driver/lines.ts";

/** Cores that sleep when they have nothing to do, or do not. */
export class AwakeCores implements AsyncDisposable {
  readonly #cores: readonly number[];
  #programs: readonly Program[] = [];

  /** @param cores Those that it is about. */
  constructor(cores: readonly number[]) {
    this.#cores = cores;
  }

  /** The programs that keep them awake now. */
  get pids(): readonly number[] {
    return this.#programs.map(({ child }) => child.pid);
  }

  /**
   * Starts a program on each core that always has something to do, and gives way to any other.
   *
   * @throws {Error} When one ends at once.
   */
  async keepAwake(): Promise<void> {
    if (this.#programs.length > 0) return;
    this.#programs = this.#cores.map(start);
    const begun = await Promise.all(this.#programs.map(({ lines }) => lines.next()));
    if (begun.every(({ done }) => done !== true)) return;
    await this.letSleep();
    throw new Error("the cores cannot be kept awake");
  }

  /** Ends those programs. */
  async letSleep(): Promise<void> {
    const programs = this.#programs;
    this.#programs = [];
    for (const { child } of programs) kill(child);
    await Promise.all(programs.map(async ({ child, lines }) => {
      await lines.return(undefined);
      await child.status;
    }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.letSleep();
  }
}

interface Program {
  readonly child: Deno.ChildProcess;
  /** It prints one when it has begun. */
  readonly lines: AsyncGenerator<string>;
}

function start(core: number): Program {
  const path = new URL("../driver/awake.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-ffi", path, `${core}`, `${Deno.pid}`],
    ...{ stdin: "null", stdout: "piped" },
  }).spawn();
  return { child, lines: linesOf(child.stdout) };
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended already.
  }
}
