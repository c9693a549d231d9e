/**
 * Time as sessions see it, so that tests can move it.
 *
 * @module
 */

/** A monotonic clock with timers, all in milliseconds. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms`, unless the returned value is disposed of first. */
  after(ms: number, run: () => void): Disposable;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
