/**
 * The router's log, for tests that wait for what it says.
 *
 * @module
 */

import { captureLogs, onLogLine } from "./log_watch.ts";

/** One record: `msg`, `level`, `module` and its own fields. */
export type LogLine = Readonly<Record<string, unknown>>;

/** See the module. Disposing of it ends capturing. */
export class CapturedLog implements Disposable {
  readonly lines: LogLine[] = [];
  readonly #listening: Disposable;
  #wake = Promise.withResolvers<void>();

  private constructor() {
    this.#listening = onLogLine((line) => this.#take(line));
  }

  /** Captures everything. */
  static async start(): Promise<CapturedLog> {
    await captureLogs();
    return new CapturedLog();
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

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
  }

  #take(line: string): void {
    this.lines.push(JSON.parse(line));
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
