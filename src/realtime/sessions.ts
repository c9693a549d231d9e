/**
 * The sessions that run now.
 *
 * @module
 */

import type { Ending } from "./ending.ts";
import type { Session } from "./session.ts";

/** What is known of a session besides its own state. Holds no content. */
export interface SessionFacts {
  /** The upgrade's request id. */
  readonly id: string;
  readonly model: string;
  readonly backend: string;
  /** Null for anonymous callers. */
  readonly keyId: string | null;
  readonly clientAddress: string;
  /** Unix time of its start, in milliseconds. */
  readonly startedAtMs: number;
}

/** A running session and what is known of it. */
export interface RunningSession {
  readonly facts: SessionFacts;
  readonly session: Session;
}

/** See the module. */
export class Sessions {
  readonly #running = new Map<string, RunningSession>();
  #empty: PromiseWithResolvers<void> | undefined;

  /** How many run. */
  get size(): number {
    return this.#running.size;
  }

  /** All that run, oldest first. */
  [Symbol.iterator](): Iterator<RunningSession> {
    return this.#running.values();
  }

  /** The session of that id. */
  get(id: string): RunningSession | undefined {
    return this.#running.get(id);
  }

  /** Adds a session until the returned value is disposed of. */
  add(running: RunningSession): Disposable {
    const { id } = running.facts;
    this.#running.set(id, running);
    return {
      [Symbol.dispose]: () => {
        this.#running.delete(id);
        if (this.#running.size > 0) return;
        this.#empty?.resolve();
        this.#empty = undefined;
      },
    };
  }

  /** Ends all of them in the same way. */
  endAll(ending: Ending): void {
    for (const { session } of this.#running.values()) session.end(ending);
  }

  /** Ends all of them without waiting for anybody. */
  killAll(): void {
    for (const { session } of this.#running.values()) session.kill();
  }

  /** Resolves when none runs. */
  async whenEmpty(): Promise<void> {
    if (this.#running.size === 0) return;
    this.#empty ??= Promise.withResolvers();
    await this.#empty.promise;
  }
}
