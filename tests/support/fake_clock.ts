/**
 * A clock that stands still until a test moves it.
 *
 * @module
 */

import type { Clock } from "../../src/realtime/mod.ts";

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** See the module. Its methods can be passed on without it. */
export class FakeClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();
  readonly #awaited = new Map<number, PromiseWithResolvers<void>>();

  constructor(nowMs = 1_000) {
    this.#nowMs = nowMs;
  }

  readonly now = (): number => this.#nowMs;

  readonly after = (ms: number, run: () => void): Disposable => {
    const timer = { dueMs: this.#nowMs + ms, run };
    this.#timers.add(timer);
    this.#awaited.get(ms)?.resolve();
    this.#awaited.delete(ms);
    return { [Symbol.dispose]: () => this.#timers.delete(timer) };
  };

  /** Timers that have yet to run. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Resolves when the next timer of that length is armed. */
  armed(ms: number): Promise<void> {
    const awaited = this.#awaited.get(ms) ?? Promise.withResolvers<void>();
    this.#awaited.set(ms, awaited);
    return awaited.promise;
  }

  /** Lets time pass: what is due runs at its time, in order, what it arms included. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (let timer = this.#next(endMs); timer !== undefined; timer = this.#next(endMs)) {
      this.#timers.delete(timer);
      this.#nowMs = timer.dueMs;
      timer.run();
    }
    this.#nowMs = endMs;
  }

  #next(endMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= endMs && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}
