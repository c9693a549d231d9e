/**
 * The last values of a series, in bounded memory.
 *
 * @module
 */

/** See the module. */
export class Ring<T> {
  readonly #capacity: number;
  readonly #values: T[] = [];
  /** Where the next value goes once the ring is full: the place of the oldest. */
  #oldest = 0;

  /** @param capacity How many values are kept; at least 1. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds a value, in place of the oldest when the ring is full. */
  add(value: T): void {
    if (this.#values.length < this.#capacity) {
      this.#values.push(value);
      return;
    }
    this.#values[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.#capacity;
  }

  /** All values, the oldest first. */
  values(): T[] {
    return [...this.#values.slice(this.#oldest), ...this.#values.slice(0, this.#oldest)];
  }
}
