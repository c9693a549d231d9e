/**
 * `wscat` as a person uses it: lines are typed, what comes is read.
 *
 * @module
 */

import { stripVTControlCharacters } from "node:util";
import { Inbox, type Line } from "./javascript/dialogue.js";

const PROGRAM = "tests/clients/javascript/node_modules/wscat/bin/wscat";
/** What it says of an end, to a terminal only. */
const DISCONNECTED = /^Disconnected \(code: .*\)$/;

/** What a {@link Wscat} is started with. */
export interface WscatOptions {
  readonly url: string;
  readonly key: string;
  /** Path of the authority that it shall trust. */
  readonly caPath: string | null;
  /** Whether it runs in a terminal, which `script` makes. Only then it shows how a connection ended. */
  readonly inTerminal: boolean;
}

/** One that runs. */
export class Wscat implements Line {
  readonly inbox = new Inbox();
  /** Resolves when it has ended and all that it wrote is in the inbox. */
  readonly finished: Promise<void>;
  readonly #typed: WritableStreamDefaultWriter<Uint8Array>;
  #isOver = false;

  constructor(options: WscatOptions) {
    const child = command(options).spawn();
    this.#typed = child.stdin.getWriter();
    this.finished = this.#watch(child);
  }

  /** Types a line. */
  send(message: object): void {
    // What is typed after the end is lost, as with a person.
    void this.#typed.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`))
      .catch(() => {});
  }

  /** Ends the input, at which it closes the connection and exits. */
  close(): void {
    void this.#typed.close().catch(() => {});
  }

  async #watch(child: Deno.ChildProcess): Promise<void> {
    const [errors, { code }] = await Promise.all([
      new Response(child.stderr).text(),
      child.status,
      this.#readLines(child.stdout),
    ]);
    await this.#typed.close().catch(() => {});
    if (!this.#isOver) this.#end(errors.trim() === "" ? `exit code ${code}` : errors.trim());
  }

  async #readLines(stdout: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(stripVTControlCharacters(line).trim());
    }
  }

  /** A prompt may stand before it, and a terminal shows what is typed, too: events have an `event_id`. */
  #take(line: string): void {
    const shown = line.slice(line.lastIndexOf("\r") + 1).replace(/^(?:[<>] )*/, "");
    if (DISCONNECTED.test(shown)) this.#end(shown);
    else if (shown.includes('"event_id":')) this.inbox.put({ event: JSON.parse(shown) });
  }

  #end(shown: string): void {
    this.#isOver = true;
    this.inbox.put({ ended: shown });
  }
}

function command({ url, key, caPath, inTerminal }: WscatOptions): Deno.Command {
  const trust = caPath === null ? [] : ["--ca", caPath];
  const wscat = [PROGRAM, "--no-color", "-c", url, "-H", `Authorization: Bearer ${key}`, ...trust];
  const line = ["node", ...wscat].map((word) => `'${word}'`).join(" ");
  return new Deno.Command(inTerminal ? "script" : "node", {
    args: inTerminal ? ["-qec", line, "/dev/null"] : wscat,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}
