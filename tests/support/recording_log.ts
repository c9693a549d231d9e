/**
 * A log that keeps what it is told.
 *
 * @module
 */

import type { Log, LogFields } from "../../src/observability/mod.ts";
import { watchLine } from "./log_watch.ts";

/** One call of a log. */
export interface LoggedLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: LogFields;
}

/** See the module. */
export class RecordingLog implements Log {
  readonly lines: LoggedLine[] = [];
  readonly #waiters = new Set<{ readonly message: string; readonly heard: () => void }>();

  readonly trace = this.#method("trace");
  readonly debug = this.#method("debug");
  readonly info = this.#method("info");
  readonly warn = this.#method("warn");
  readonly error = this.#method("error");

  /** Each line as `level message`. */
  get texts(): readonly string[] {
    return this.lines.map(({ level, message }) => `${level} ${message}`);
  }

  /** Resolves at the next line with this message. */
  next(message: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiters.add({ message, heard: resolve });
    return promise;
  }

  #method(level: keyof Log): (message: string, fields?: LogFields) => void {
    return (message, fields = {}) => {
      watchLine(JSON.stringify({ level, msg: message, ...fields }));
      this.lines.push({ level, message, fields });
      for (const waiter of this.#waiters) {
        if (waiter.message !== message) continue;
        this.#waiters.delete(waiter);
        waiter.heard();
      }
    };
  }
}
