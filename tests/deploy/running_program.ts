/**
 * A program that runs beside a test, which waits for what it writes.
 *
 * @module
 */

import { watchLine } from "../support/log_watch.ts";
import { isRouter, programEnv, type RunOptions } from "./installed_program.ts";

/** A program that still runs then hangs, and is killed. */
const MAX_RUN_MS = 60_000;

/** See the module. Disposing of it kills it. */
export class RunningProgram implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #read: Promise<unknown>;
  readonly #watchdog: ReturnType<typeof setTimeout>;
  #text = "";
  #isOver = false;
  #wake = Promise.withResolvers<void>();

  constructor(path: string, options: Omit<RunOptions, "input">) {
    this.#child = new Deno.Command(path, {
      args: [...options.args],
      ...options.cwd === undefined ? {} : { cwd: options.cwd },
      clearEnv: true,
      env: programEnv(options.env),
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#watchdog = setTimeout(() => this.#kill("SIGKILL"), MAX_RUN_MS);
    this.#read = Promise.all([this.#collect(this.#child.stdout), this.#collect(this.#child.stderr)])
      .then(() => {
        this.#isOver = true;
        const lines = this.#text.split("\n");
        if (isRouter(options)) lines.forEach(watchLine);
        // What the demo shows of its turn are the names of events.
        if (options.args[1] === "demo") {
          lines.filter((line) => !/[←→]/.test(line)).forEach(watchLine);
        }
        this.#wake.resolve();
      });
  }

  /** All that it has written so far. */
  get text(): string {
    return this.#text;
  }

  /** Resolves when it has written `text`. @throws {Error} When it ends before; the message has all it wrote. */
  async wrote(text: string): Promise<void> {
    while (!this.#text.includes(text)) {
      if (this.#isOver) throw new Error(`the program ended without "${text}": ${this.#text}`);
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
  }

  /** Sends a signal and waits for the end. Resolves to the exit code. */
  async end(signal: Deno.Signal): Promise<number> {
    this.#kill(signal);
    const [{ code }] = await Promise.all([this.#child.status, this.#read]);
    clearTimeout(this.#watchdog);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
  }

  #kill(signal: Deno.Signal): void {
    try {
      this.#child.kill(signal);
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.#text += decoder.decode(chunk, { stream: true });
      this.#wake.resolve();
    }
  }
}
