/**
 * Time as requests see it, so that tests can move it.
 *
 * @module
 */

/** A monotonic clock with timers, all in milliseconds. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms`, unless the returned value is disposed of first. */
  after(ms: number, run: () => void): Disposable;
}
