/**
 * What makes one kind of backend differ from another. One session logic, several ways of letting clients in
 * and of putting on the wire what happens.
 *
 * @module
 */

import type { Admission, Farewell } from "./admission.ts";
import type { SentEvent } from "./events.ts";

/** Where a request may carry the backend's key. */
export type KeyPlace = "bearer" | "api-key" | "x-api-key" | "query";

/** What to send for an event; null to send nothing. */
export type Wording = (event: SentEvent) => object | null;

/** A kind of OpenAI-Realtime-compatible backend. */
export interface Dialect {
  readonly name: string;
  /** Where clients find it. */
  readonly path: string;
  /** Whether sessions may be opened at a path. */
  readonly servesPath: (pathname: string) => boolean;
  /** Where a key may be; without any, nobody is asked for one. */
  readonly keyPlaces: readonly KeyPlace[];
  /** Whether a request without the right key gets a 403 with nothing in it, instead of a 401 with JSON. */
  readonly refusesSilently: boolean;
  /** Whom it lets in, by the values of `model` in the query and the models it has. */
  readonly admit: (asked: readonly string[], served: readonly string[]) => Admission;
  /** What a session too many is told. */
  readonly full: Farewell;
  /** Sessions at a time, unless the options say otherwise. */
  readonly maxSessions: number;
  /** What its sessions are for. */
  readonly purpose: "conversation" | "transcription";
  /** Audio in one delta of the answer, in milliseconds; `Infinity` for all of it. */
  readonly audioChunkMs: number;
  /** Samples per second of the audio that it speaks. */
  readonly outputRate: number;
  /**
   * From a client's message to the one that the reference would have got.
   *
   * @throws {RequestError} When it does not know the message.
   */
  readonly hearing: (message: unknown) => unknown;
  /** How one session words its events. */
  readonly wording: () => Wording;
}
