/**
 * The data lines of an event stream (WHATWG HTML §9.2.6), read beside the stream. Nothing is kept of them:
 * an event may be as long as an image.
 *
 * @module
 */

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const FIELD = new TextEncoder().encode("data:");

/** Told of the data lines. */
export interface DataListener {
  /** A part of the value of the line that is read now; valid until it returns. */
  part(bytes: Uint8Array): void;
  /** The line has ended. Not called for a line that is no data line. */
  endLine(): void;
  /** An empty line: the data lines since the last one are one event. */
  endEvent(): void;
}

/** Finds the lines `data: …` in a stream's pieces, however it is cut, and whichever line ends it has. */
export class SseLines {
  readonly #listener: DataListener;
  /** Bytes of {@link FIELD} that the line has begun with; -1 when it is no data line. */
  #matched = 0;
  #hasValue = false;
  /** The last piece ended with a carriage return: a line feed now belongs to the same line's end. */
  #afterReturn = false;

  constructor(listener: DataListener) {
    this.#listener = listener;
  }

  /** Reads the next piece. */
  push(piece: Uint8Array): void {
    if (piece.length === 0) return;
    let start = this.#afterReturn && piece[0] === LINE_FEED ? 1 : 0;
    this.#afterReturn = piece.at(-1) === CARRIAGE_RETURN;
    let feed = piece.indexOf(LINE_FEED, start);
    let carriage = piece.indexOf(CARRIAGE_RETURN, start);
    while (feed !== -1 || carriage !== -1) {
      const end = feed === -1 || (carriage !== -1 && carriage < feed) ? carriage : feed;
      this.#add(piece.subarray(start, end));
      this.#endLine();
      start = end === carriage && feed === end + 1 ? end + 2 : end + 1;
      if (feed !== -1 && feed < start) feed = piece.indexOf(LINE_FEED, start);
      if (carriage !== -1 && carriage < start) carriage = piece.indexOf(CARRIAGE_RETURN, start);
    }
    this.#add(piece.subarray(start));
  }

  /** The stream has ended, perhaps within a line or an event. */
  end(): void {
    if (this.#matched !== 0) this.#endLine();
    this.#listener.endEvent();
  }

  #add(part: Uint8Array): void {
    let at = 0;
    for (; this.#matched >= 0 && this.#matched < FIELD.length && at < part.length; at++) {
      this.#matched = part[at] === FIELD[this.#matched] ? this.#matched + 1 : -1;
    }
    if (this.#matched !== FIELD.length) return;
    if (!this.#hasValue && at < part.length) {
      this.#hasValue = true;
      if (part[at] === SPACE) at++;
    }
    if (at < part.length) this.#listener.part(part.subarray(at));
  }

  #endLine(): void {
    const isEmpty = this.#matched === 0;
    const isData = this.#matched === FIELD.length;
    this.#matched = 0;
    this.#hasValue = false;
    if (isData) this.#listener.endLine();
    else if (isEmpty) this.#listener.endEvent();
  }
}
