/**
 * The one recorder for realtime and HTTP (spec §9).
 *
 * @module
 */

import type { UsageRecord, UsageSink } from "./usage_record.ts";

/** What a {@link Recorder} needs besides its sinks. */
export interface RecorderOptions {
  /** Told of what a sink threw. Must not throw itself. */
  readonly onError: (error: unknown) => void;
}

/** Gives each record to every sink, in their order. One that throws keeps no other from its record. */
export class Recorder implements UsageSink {
  readonly #sinks: readonly UsageSink[];
  readonly #options: RecorderOptions;

  constructor(sinks: readonly UsageSink[], options: RecorderOptions) {
    this.#sinks = [...sinks];
    this.#options = options;
  }

  record(record: UsageRecord): void {
    for (const sink of this.#sinks) {
      try {
        sink.record(record);
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }
}
