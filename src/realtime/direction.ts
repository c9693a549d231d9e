/**
 * One direction of the relay, with backpressure: while too much waits for the reader, nothing is read
 * from the writer (spec §6 "Backpressure").
 *
 * @module
 */

import type { Clock } from "./clock.ts";
import type { Leg, Message } from "./leg.ts";

/** The two directions, as metrics name them. */
export type DirectionName = "client_to_backend" | "backend_to_client";

/** Above this, reading pauses. */
export const HIGH_WATER_BYTES = 1024 * 1024;
/** Below this, it goes on. */
export const LOW_WATER_BYTES = 256 * 1024;
/** Limits a session that pauses to about 190 MB/s, and costs nothing while none does. */
const POLL_MS = 4;

/** Told of what a direction does. */
export interface DirectionObserver {
  /** A message was handed on; `bytes` are those of its frames. */
  relayed(name: DirectionName, bytes: number): void;
  paused(name: DirectionName): void;
}

/** What a {@link Direction} needs. */
export interface DirectionOptions {
  readonly from: Leg;
  readonly to: Leg;
  readonly clock: Clock;
  readonly observer: DirectionObserver;
  /**
   * Looks at a text message after it was handed on; `sequence` is its number among those given to the
   * reader, from 1. @default {undefined} nobody looks
   */
  readonly tap?: (text: string, sequence: number) => void;
}

/** See the module. Disposing of it stops the polling and resumes the writer. */
export class Direction implements Disposable {
  readonly name: DirectionName;
  readonly #options: DirectionOptions;
  #messages = 0;
  #bytes = 0;
  #poll: Disposable | undefined;

  constructor(options: DirectionOptions) {
    this.name = options.from.side === "client" ? "client_to_backend" : "backend_to_client";
    this.#options = options;
  }

  /** Messages handed on. */
  get messages(): number {
    return this.#messages;
  }

  /** Bytes of the frames that they came in. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Hands a message on, unchanged and at once. */
  relay(message: Message): void {
    const { from, to, observer, tap } = this.#options;
    if (!to.send(message)) return;
    this.#messages++;
    const bytes = from.wire.inwardDataBytes - this.#bytes;
    this.#bytes += bytes;
    observer.relayed(this.name, bytes);
    if (tap !== undefined && typeof message === "string") tap(message, to.messagesSent);
    if (this.#poll === undefined && to.backlogBytes > HIGH_WATER_BYTES) this.#pause();
  }

  #pause(): void {
    this.#options.from.wire.pause();
    this.#options.observer.paused(this.name);
    this.#watch();
  }

  #watch(): void {
    this.#poll = this.#options.clock.after(POLL_MS, () => {
      if (this.#options.to.backlogBytes >= LOW_WATER_BYTES) return this.#watch();
      this.#poll = undefined;
      this.#options.from.wire.resume();
    });
  }

  [Symbol.dispose](): void {
    if (this.#poll === undefined) return;
    this.#poll[Symbol.dispose]();
    this.#poll = undefined;
    this.#options.from.wire.resume();
  }
}
