/**
 * The buffer of one pump direction. It starts small, because most sessions are idle most of the
 * time and every idle pump holds one, grows while reads fill it, and shrinks when they no longer do.
 *
 * @module
 */

const SMALL_BYTES = 4 * 1024;
const LARGE_BYTES = 64 * 1024;
const GROWTH = 4;
/** So many reads in a row that would have fitted a smaller buffer make it smaller. */
const READS_BEFORE_SHRINKING = 64;

/** See the module. Bytes are read into {@link space}, reported by `filled`, taken off by `consume`. */
export class PumpBuffer {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  #wasFull = false;
  #smallReads = 0;

  /** @param initial Bytes that are there already. */
  constructor(initial: Uint8Array = new Uint8Array(0)) {
    this.#bytes = new Uint8Array(Math.max(SMALL_BYTES, initial.length));
    this.#bytes.set(initial);
    this.#length = initial.length;
  }

  /** Everything that is there; only the first {@link length} bytes count. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** How many bytes are there. */
  get length(): number {
    return this.#length;
  }

  /** Where the next bytes go. Never empty after a `consume` of all but a partial frame header. */
  get space(): Uint8Array {
    return this.#length === 0 ? this.#bytes : this.#bytes.subarray(this.#length);
  }

  /** Says that the first `count` bytes of {@link space} were filled. */
  filled(count: number): void {
    this.#length += count;
    this.#wasFull = this.#length === this.#bytes.length;
    this.#smallReads = count <= this.#bytes.length / (2 * GROWTH) ? this.#smallReads + 1 : 0;
  }

  /** The first `count` bytes, valid until `consume`. */
  head(count: number): Uint8Array {
    return count === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, count);
  }

  /** Takes the first `count` bytes off and moves the rest to the front. */
  consume(count: number): void {
    const rest = this.#length - count;
    const size = this.#nextSize(rest);
    if (size !== this.#bytes.length) {
      const bytes = new Uint8Array(size);
      bytes.set(this.#bytes.subarray(count, this.#length));
      this.#bytes = bytes;
    } else if (rest > 0) {
      this.#bytes.copyWithin(0, count, this.#length);
    }
    this.#length = rest;
  }

  #nextSize(rest: number): number {
    const size = this.#bytes.length;
    if (this.#wasFull) {
      this.#wasFull = false;
      return Math.max(size, Math.min(size * GROWTH, LARGE_BYTES));
    }
    if (this.#smallReads >= READS_BEFORE_SHRINKING && size > SMALL_BYTES) {
      this.#smallReads = 0;
      return Math.max(SMALL_BYTES, Math.floor(size / GROWTH), rest);
    }
    return size;
  }
}
