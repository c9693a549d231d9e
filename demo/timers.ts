/**
 * The timers of one session, so that its end can stop all of them.
 *
 * @module
 */

/** Stops a timer; harmless when it has fired already. */
export type CancelTimer = () => void;

/** A set of running timers that runs faster than the clock. */
export class Timers {
  readonly #running = new Set<ReturnType<typeof setTimeout>>();
  readonly #speed: number;
  #stopped = false;

  /** @param speed Milliseconds of conversation that pass in one millisecond of the clock. */
  constructor(speed: number) {
    this.#speed = speed;
  }

  /** Runs `action` when `conversationMs` of conversation have passed; never, once stopped. */
  after(conversationMs: number, action: () => void): CancelTimer {
    return this.afterWallClock(conversationMs / this.#speed, action);
  }

  /** Runs `action` after `ms` of the clock, whatever the speed; never, once stopped. */
  afterWallClock(ms: number, action: () => void): CancelTimer {
    if (this.#stopped) return () => {};
    const id = setTimeout(() => {
      this.#running.delete(id);
      action();
    }, ms);
    this.#running.add(id);
    return () => {
      clearTimeout(id);
      this.#running.delete(id);
    };
  }

  /** Stops every timer, for good. */
  stop(): void {
    this.#stopped = true;
    for (const id of this.#running) clearTimeout(id);
    this.#running.clear();
  }
}
