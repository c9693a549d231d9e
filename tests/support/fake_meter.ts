/**
 * A meter that writes down what it is told.
 *
 * @module
 */

import type { Meter } from "../../src/realtime/mod.ts";

/** See the module. */
export class FakeMeter implements Meter {
  /** What was handed on, and as which message. */
  readonly taps: { readonly text: string; readonly sequence: number }[] = [];
  /** Every count of accepted messages told, in order. */
  readonly acceptances: number[] = [];
  /** What `end` was told; undefined before. */
  endedAt: number | undefined;
  hasPending = true;
  recorded = 0;

  relayed(text: string, sequence: number): void {
    this.taps.push({ text, sequence });
  }

  accepted(count: number): void {
    this.acceptances.push(count);
  }

  end(acceptedCount: number): void {
    this.endedAt = acceptedCount;
  }
}
