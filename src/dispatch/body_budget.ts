/**
 * How many bytes the bodies of all requests may take together. Each has a limit of its own, but many
 * clients with one each could otherwise end the process, and all its voice sessions with it.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";

/** Bytes of bodies in memory at a time: 512 MiB. */
export const MAX_BYTES_IN_FLIGHT = 512 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;

/** A request's part of the budget, given back by disposing of it. */
export interface BodyShare extends Disposable {
  /** @throws {RouterError} `connection_limit_reached` when there is no room for so many more bytes. */
  take(bytes: number): void;
}

/** See the module. */
export class BodyBudget {
  readonly #maxBytes: number;
  #takenBytes = 0;

  constructor(maxBytes: number = MAX_BYTES_IN_FLIGHT) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes taken now. */
  get takenBytes(): number {
    return this.#takenBytes;
  }

  /** Begins a request's share. */
  open(): BodyShare {
    let ownBytes = 0;
    return {
      take: (bytes) => {
        if (this.#takenBytes + bytes > this.#maxBytes) throw full();
        this.#takenBytes += bytes;
        ownBytes += bytes;
      },
      [Symbol.dispose]: () => {
        this.#takenBytes -= ownBytes;
        ownBytes = 0;
      },
    };
  }
}

function full(): RouterError {
  return new RouterError("connection_limit_reached", "Too many request bodies at a time", {
    source: "internal",
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  });
}
