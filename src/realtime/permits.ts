/**
 * The permits of `realtime.max_sessions`.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";

/** How long a refused client should wait, in seconds: sessions end at any time. */
const RETRY_AFTER_SECONDS = 5;

/** Counts sessions. A permit is given back by disposing of it, once. */
export class Permits {
  readonly #limit: number;
  #held = 0;

  /** @param limit The most permits held at a time; at least 1. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Permits held now. */
  get held(): number {
    return this.#held;
  }

  /** @throws {RouterError} `session_limit_reached` when all are held. */
  take(): Disposable {
    if (this.#held >= this.#limit) {
      throw new RouterError("session_limit_reached", "All sessions of this router are in use", {
        source: "internal",
        headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
      });
    }
    this.#held++;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) this.#held--;
        held = false;
      },
    };
  }
}
