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
  end(): void;
}

/** Finds the lines `data: …` in a stream's pieces, however it is cut. */
export class SseLines {
  readonly #listener: DataListener;
  /** Bytes of {@link FIELD} that the line has begun with; -1 when it is no data line. */
  #matched = 0;
  #hasValue = false;
  /** A carriage return at the end of a part belongs to the line's end, if that comes next. */
  #heldReturn = false;

  constructor(listener: DataListener) {
    this.#listener = listener;
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
    let at = 0;
    for (; this.#matched >= 0 && this.#matched < FIELD.length && at < part.length; at++) {
      this.#matched = part[at] === FIELD[this.#matched] ? this.#matched + 1 : -1;
    }
    if (this.#matched !== FIELD.length) return;
    if (!this.#hasValue && at < part.length) {
      this.#hasValue = true;
      if (part[at] === SPACE) at++;
    }
    if (at < part.length) this.#value(part.subarray(at));
  }

  #value(bytes: Uint8Array): void {
    if (this.#heldReturn) this.#listener.part(Uint8Array.of(CARRIAGE_RETURN));
    this.#heldReturn = bytes.at(-1) === CARRIAGE_RETURN;
    this.#listener.part(this.#heldReturn ? bytes.subarray(0, -1) : bytes);
  }

  #endLine(): void {
    const isData = this.#matched === FIELD.length;
    this.#matched = 0;
    this.#hasValue = false;
    this.#heldReturn = false;
    if (isData) this.#listener.end();
  }
}
