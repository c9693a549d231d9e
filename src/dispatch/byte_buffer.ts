/**
 * Bytes that are collected piece by piece.
 *
 * @module
 */

const FIRST_CAPACITY = 16 * 1024;

/**
 * One array that grows, instead of a list of pieces: a sender that writes single bytes would make a list of
 * objects of a hundred times the size of what it sent. Who appends sees to the limit.
 */
export class ByteBuffer {
  #bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What was appended. Not a copy: the next `append` or `clear` may change it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Adds a copy of a piece. */
  append(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length, FIRST_CAPACITY));
      grown.set(this.bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = needed;
  }

  /** Forgets the bytes, and gives back the room that a long one took. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > FIRST_CAPACITY) this.#bytes = new Uint8Array(0);
  }
}
