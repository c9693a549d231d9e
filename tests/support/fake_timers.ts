/**
 * `setTimeout` under a test's control, for code that does not take a clock.
 *
 * @module
 */

import { FakeClock } from "./fake_clock.ts";

/** Time of the global timers: it stands still until `advance`. Disposing of it restores the real ones. */
export interface FakeTimers extends Disposable {
  /** Timers that have yet to run. */
  readonly pending: number;
  advance(ms: number): void;
}

/** Takes over the global timers. Not for tests that wait for anything but what happens in memory. */
export function fakeTimers(): FakeTimers {
  const clock = new FakeClock();
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map<number, Disposable>();
  let last = 0;
  const setFake = (run: () => void, ms = 0): number => {
    const id = ++last;
    const expire = () => {
      timers.delete(id);
      run();
    };
    timers.set(id, clock.after(ms, expire));
    return id;
  };
  const clearFake = (id: number): void => {
    timers.get(id)?.[Symbol.dispose]();
    timers.delete(id);
  };
  Object.assign(globalThis, { setTimeout: setFake, clearTimeout: clearFake });
  return {
    get pending() {
      return timers.size;
    },
    advance: (ms) => clock.advance(ms),
    [Symbol.dispose]: () => {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    },
  };
}
