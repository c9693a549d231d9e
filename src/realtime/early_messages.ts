/**
 * What a client sends before its backend is there, kept in order and within bounds (spec §6
 * "Connecting").
 *
 * @module
 */

import type { Leg, Message } from "./leg.ts";

/** A message of the greatest allowed size with its frame header. */
const MAX_WIRE_BYTES = 4 * 1024 * 1024 + 14;
/** Messages cost memory besides their bytes, so that their number is limited too. */
const MAX_MESSAGES = 4096;

/** See the module. */
export class EarlyMessages {
  readonly #client: Leg;
  #messages: Message[] = [];

  /** @param client The leg to listen to and, when it sends too much, to pause. */
  constructor(client: Leg) {
    this.#client = client;
    client.wire.limitInward(MAX_WIRE_BYTES);
    client.onMessage = (message) => {
      this.#messages.push(message);
      if (this.#messages.length >= MAX_MESSAGES) client.wire.pause();
    };
  }

  /** Hands everything to `take`, in order, and every later message too. */
  releaseTo(take: (message: Message) => void): void {
    // First, because what takes the messages may pause the client again.
    this.#client.wire.resume();
    this.#client.wire.limitInward(Infinity);
    for (const message of this.#messages) take(message);
    this.#messages = [];
    this.#client.onMessage = take;
  }

  /** Forgets everything: there will be no backend. */
  discard(): void {
    this.releaseTo(() => {});
  }
}
