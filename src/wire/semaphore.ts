/**
 * A counting semaphore whose permits are given back by disposing of them.
 *
 * @module
 */

/** See the module. Waiters are served in order. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param permits How many may be held at a time. */
  constructor(permits: number) {
    this.#free = permits;
  }

  /** Waits for a permit. Disposing of it twice gives it back once. */
  async acquire(): Promise<Disposable> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        const next = this.#waiting.shift();
        if (next === undefined) this.#free++;
        else next();
      },
    };
  }
}
