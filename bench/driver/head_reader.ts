/**
 * The head of a request or an answer, gathered from whatever pieces it comes in.
 *
 * @module
 */

const END = "\r\n\r\n";
const MAX_BYTES = 16 * 1024;

/** Gathers one head. */
export class HeadReader {
  #text = "";

  /** What has come of the head. */
  get text(): string {
    return this.#text;
  }

  /**
   * Takes the first `length` bytes of a buffer.
   *
   * @returns Where in the buffer the head ends; undefined when more of it is to come.
   */
  take(bytes: Uint8Array, length: number): number | undefined {
    const before = this.#text.length;
    this.#text += new TextDecoder("latin1").decode(bytes.subarray(0, length));
    const end = this.#text.indexOf(END);
    if (end < 0) {
      if (this.#text.length > MAX_BYTES) throw new RangeError("a head without an end");
      return undefined;
    }
    this.#text = this.#text.slice(0, end + END.length);
    return end + END.length - before;
  }
}
