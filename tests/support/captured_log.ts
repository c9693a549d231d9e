/**
 * The router's log, for tests that wait for what it says.
 *
 * @module
 */

import { endLogging, setUpLogging } from "../../src/observability/mod.ts";

/** One record: `msg`, `level`, `module` and its own fields. */
export type LogLine = Readonly<Record<string, unknown>>;

/** See the module. Disposing of it ends logging. */
export class CapturedLog implements AsyncDisposable {
  readonly lines: LogLine[] = [];
  #wake = Promise.withResolvers<void>();

  private constructor() {}

  /** Captures everything from `debug` on. */
  static async start(): Promise<CapturedLog> {
    const log = new CapturedLog();
    await setUpLogging({ level: "debug", format: "json", write: (line) => log.#take(line) });
    return log;
  }

  /** The records with these fields. */
  find(fields: LogLine): readonly LogLine[] {
    return this.lines.filter((line) =>
      Object.entries(fields).every(([name, value]) => line[name] === value)
    );
  }

  /** Resolves once there are `count` records with these fields. */
  async until(fields: LogLine, count = 1): Promise<void> {
    while (this.find(fields).length < count) await this.#wake.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await endLogging();
  }

  #take(line: string): void {
    this.lines.push(JSON.parse(line));
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
