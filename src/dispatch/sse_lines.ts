/**
 * The data lines of an event stream (WHATWG HTML §9.2.6), read beside the stream and in bounded memory.
 *
 * @module
 */

import { ByteBuffer } from "./byte_buffer.ts";

/** A longer line is not read. As for realtime events (spec §8). */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIELD = new TextEncoder().encode("data:");

/** Finds the lines `data: …` in a stream's pieces, however it is cut. */
export class SseLines {
  readonly #take: (data: string) => void;
  /** The beginning of a line whose end has not come. */
  readonly #begun = new ByteBuffer();
  #skipping = false;

  /** @param take Given the value of each data line. */
  constructor(take: (data: string) => void) {
    this.#take = take;
  }

  /** Reads the next piece. */
  push(piece: Uint8Array): void {
    let start = 0;
    for (let end; (end = piece.indexOf(LINE_FEED, start)) !== -1; start = end + 1) {
      this.#add(piece.subarray(start, end));
      this.#endLine();
    }
    if (start < piece.length) this.#add(piece.subarray(start));
  }

  /** The stream has ended, perhaps within a line. */
  end(): void {
    this.#endLine();
  }

  #add(part: Uint8Array): void {
    if (this.#skipping) return;
    if (this.#begun.length + part.length > MAX_LINE_BYTES) {
      this.#skipping = true;
      this.#begun.clear();
    } else this.#begun.append(part);
  }

  #endLine(): void {
    const line = this.#begun.bytes;
    if (!this.#skipping && FIELD.every((byte, index) => line[index] === byte)) {
      const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
      this.#take(new TextDecoder().decode(line.subarray(FIELD.length, end)).trimStart());
    }
    this.#skipping = false;
    this.#begun.clear();
  }
}
