/**
 * How a backend words what happens. One session logic, several ways of putting it on the wire.
 *
 * @module
 */

import type { SentEvent } from "./events.ts";

/** A kind of OpenAI-Realtime-compatible backend. */
export interface Dialect {
  readonly name: string;
  /** Audio in one `response.output_audio.delta`, in milliseconds. */
  readonly audioChunkMs: number;
  /** What to send for an event; null to send nothing. */
  readonly wording: (event: SentEvent) => object | null;
}

/** The OpenAI Realtime API in its GA form: the reference. */
export const OPENAI: Dialect = {
  name: "openai",
  audioChunkMs: 200,
  wording: (event) => event,
};
