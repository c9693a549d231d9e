/**
 * A place in the bytes of a JSON text, moved forward over what the grammar of RFC 8259 allows there.
 *
 * @module
 */

/** Deeper nesting than any request has; it bounds the memory of a reading. */
export const MAX_DEPTH = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const LOWER_U = 0x75;
/** After a backslash: `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
const ESCAPED: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)));

/** See the module. Its methods throw a `SyntaxError` where the grammar does not allow what stands there. */
export class JsonCursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next byte's index. */
  get at(): number {
    return this.#at;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Moves over white space. */
  skipBlanks(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    }
    this.#at = at;
  }

  /** Moves over one character if it is the next one. */
  take(char: string): boolean {
    if (this.#bytes[this.#at] !== char.charCodeAt(0)) return false;
    this.#at++;
    return true;
  }

  /** Moves over one character, which must be the next one. */
  expect(char: string): void {
    if (!this.take(char)) throw this.#unexpected();
  }

  /** Moves over a string, its quotes included. */
  skipString(): void {
    this.expect('"');
    const bytes = this.#bytes;
    for (let at = this.#at; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#at = at + 1;
        return;
      }
      if (byte === BACKSLASH) at = this.#escapeEnd(at + 1);
      else if (byte === undefined || byte < 0x20) break;
    }
    throw this.#unexpected();
  }

  /** Moves over one value of any kind. Keeps its own stack, so that nesting costs a byte a level. */
  skipValue(): void {
    const closings = new Uint8Array(MAX_DEPTH);
    let depth = 0;
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (depth === MAX_DEPTH) throw new SyntaxError("nested too deeply");
        const closing = byte === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
        this.#at++;
        this.skipBlanks();
        if (this.#bytes[this.#at] === closing) this.#at++;
        else {
          closings[depth++] = closing;
          if (closing === CLOSE_OBJECT) this.#skipName();
          continue;
        }
      } else this.#skipScalar(byte);
      for (;;) {
        if (depth === 0) return;
        this.skipBlanks();
        const closing = closings[depth - 1];
        if (this.take(",")) {
          this.skipBlanks();
          if (closing === CLOSE_OBJECT) this.#skipName();
          break;
        }
        if (this.#bytes[this.#at] !== closing) throw this.#unexpected();
        this.#at++;
        depth--;
      }
    }
  }

  #skipName(): void {
    this.skipString();
    this.skipBlanks();
    this.expect(":");
    this.skipBlanks();
  }

  #skipScalar(byte: number | undefined): void {
    if (byte === QUOTE) this.skipString();
    else if (byte === MINUS || isDigit(byte)) this.#skipNumber();
    else if (byte === 0x74) this.#skipWord("true");
    else if (byte === 0x66) this.#skipWord("false");
    else this.#skipWord("null");
  }

  #skipWord(word: string): void {
    for (const char of word) this.expect(char);
  }

  #skipNumber(): void {
    this.take("-");
    if (!this.take("0")) this.#skipDigits();
    if (this.take(".")) this.#skipDigits();
    if (this.take("e") || this.take("E")) {
      if (!this.take("+")) this.take("-");
      this.#skipDigits();
    }
  }

  /** At least one. */
  #skipDigits(): void {
    const start = this.#at;
    while (isDigit(this.#bytes[this.#at])) this.#at++;
    if (this.#at === start) throw this.#unexpected();
  }

  /** The last byte of an escape whose first byte after the backslash is at `at`. */
  #escapeEnd(at: number): number {
    const byte = this.#bytes[at];
    if (byte !== undefined && ESCAPED.has(byte)) return at;
    if (byte === LOWER_U) {
      const digits = this.#bytes.subarray(at + 1, at + 5);
      if (digits.length === 4 && digits.every(isHexDigit)) return at + 4;
    }
    throw this.#unexpected();
  }

  #unexpected(): SyntaxError {
    return new SyntaxError("not valid JSON");
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}
