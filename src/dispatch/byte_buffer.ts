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

  /** By how much the room grows when so many bytes more are appended. */
  growthFor(bytes: number): number {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return 0;
    return Math.max(needed, 2 * this.#bytes.length, FIRST_CAPACITY) - this.#bytes.length;
  }

  /** What was appended. Not a copy: the next `append` or `clear` may change it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Adds a copy of a piece. */
  append(piece: Uint8Array): void {
    const growth = this.growthFor(piece.length);
    if (growth > 0) {
      const grown = new Uint8Array(this.#bytes.length + growth);
      grown.set(this.bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  /** Forgets the bytes, and gives back the room that a long one took. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > FIRST_CAPACITY) this.#bytes = new Uint8Array(0);
  }
}
