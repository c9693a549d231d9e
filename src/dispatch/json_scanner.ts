/**
 * The grammar of JSON (RFC 8259), read piece by piece as the bytes come. Nothing is kept of them but names
 * that somebody asks for, so that a text of any length costs the same memory.
 *
 * @module
 */

import { isDigit, mayEndNumber, nextNumberPart, type NumberPart } from "./json_number.ts";

/** The most containers within one another, the outermost included; it bounds the memory of a reading. */
export const MAX_DEPTH = 512;
/** A longer name is given as an empty one: nobody asks for such a member. */
export const MAX_NAME_BYTES = 128;

/** Told of values as they pass. Offsets count the bytes of the whole text. */
export interface JsonListener {
  /**
   * A value begins at `start`. Values in the outermost object have depth 1. `name` is the member's, escapes
   * resolved; undefined for an element of an array.
   */
  enter(name: string | undefined, depth: number, start: number): void;
  /** The value that was entered last, and not left, has ended before `end`. */
  leave(depth: number, end: number): void;
}

const DECODER = new TextDecoder();
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LOWER_U = 0x75;
/** After a backslash: `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
const ESCAPED: ReadonlySet<number> = codes('"\\/bfnrt');
const WORDS: ReadonlyMap<number, string> = new Map(
  ["true", "false", "null"].map((word) => [word.charCodeAt(0), word]),
);

/** What is expected next. */
type State =
  | "text"
  | "value"
  | "first element"
  | "name"
  | "first name"
  | "colon"
  | "after value"
  | "string"
  | "escape"
  | "hex digit"
  | "word"
  | "number"
  | "end";

/** See the module. */
export class JsonScanner {
  readonly #listener: JsonListener;
  readonly #listenDepth: number;
  /** Of each open container, the byte that closes it. */
  readonly #closings = new Uint8Array(MAX_DEPTH + 1);
  readonly #name = new Uint8Array(MAX_NAME_BYTES);
  #nameLength = 0;
  #inName = false;
  #depth = 0;
  #state: State = "text";
  /** What is left of a word or of the digits of an escape. */
  #word = "";
  #hexDigits = 0;
  #part: NumberPart = "start";
  /** Bytes of the pieces before this one. */
  #passed = 0;

  /** @param listenDepth The depth down to which the listener is told. */
  constructor(listener: JsonListener, listenDepth: number) {
    this.#listener = listener;
    this.#listenDepth = listenDepth;
  }

  /**
   * Reads the next piece.
   *
   * @throws {SyntaxError} where the text is no JSON object, or nested too deeply. The message repeats nothing
   * of the text. No more may be pushed then.
   */
  push(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; at++) {
      if (this.#state === "string") at = this.#passString(piece, at);
      else this.#step(piece[at] ?? 0, this.#passed + at);
    }
    this.#passed += piece.length;
  }

  /** The text has ended. @throws {SyntaxError} when it has not come to its end. */
  end(): void {
    if (this.#state !== "end") throw unexpected();
  }

  /** Moves over a string's plain characters; gives the last index that it has read. */
  #passString(piece: Uint8Array, start: number): number {
    let at = start;
    let byte = piece[at] ?? 0;
    while (byte !== QUOTE && byte !== BACKSLASH && byte >= 0x20) byte = piece[++at] ?? 0;
    if (this.#inName) this.#keepName(piece.subarray(start, at));
    if (at === piece.length) return at;
    if (byte === QUOTE) this.#endString(this.#passed + at);
    else if (byte === BACKSLASH) this.#beginEscape();
    else throw unexpected();
    return at;
  }

  #step(byte: number, offset: number): void {
    switch (this.#state) {
      case "escape":
      case "hex digit":
        return this.#escape(byte);
      case "word":
        return this.#wordLetter(byte, offset);
      case "number":
        if (this.#numberByte(byte)) return;
        this.#leave(offset);
        return this.#step(byte, offset);
      default:
        if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
          this.#structure(byte, offset);
        }
    }
  }

  /** A byte outside of strings, numbers and words that is no blank. */
  #structure(byte: number, offset: number): void {
    switch (this.#state) {
      case "first element":
        if (byte === CLOSE_ARRAY) return this.#close(offset);
        return this.#value(byte, offset);
      case "value":
        return this.#value(byte, offset);
      case "first name":
        if (byte === CLOSE_OBJECT) return this.#close(offset);
        return this.#beginName(byte);
      case "name":
        return this.#beginName(byte);
      case "colon":
        if (byte !== 0x3a) break;
        this.#state = "value";
        return;
      case "after value":
        if (byte === this.#closing) return this.#close(offset);
        if (byte !== COMMA) break;
        this.#state = this.#closing === CLOSE_OBJECT ? "name" : "value";
        return;
      case "text":
        if (byte !== OPEN_OBJECT) break;
        return this.#open(CLOSE_OBJECT);
    }
    throw unexpected();
  }

  get #closing(): number | undefined {
    return this.#closings[this.#depth];
  }

  #value(byte: number, offset: number): void {
    if (this.#depth <= this.#listenDepth) {
      const name = this.#closing === CLOSE_OBJECT ? this.#nameText() : undefined;
      this.#listener.enter(name, this.#depth, offset);
    }
    if (byte === QUOTE) this.#state = "string";
    else if (byte === OPEN_OBJECT) this.#open(CLOSE_OBJECT);
    else if (byte === OPEN_ARRAY) this.#open(CLOSE_ARRAY);
    else this.#beginNumber(byte) || this.#beginWord(byte);
  }

  #open(closing: number): void {
    if (this.#depth === MAX_DEPTH) throw new SyntaxError("nested too deeply");
    this.#closings[++this.#depth] = closing;
    this.#state = closing === CLOSE_OBJECT ? "first name" : "first element";
  }

  #close(offset: number): void {
    this.#depth--;
    if (this.#depth === 0) this.#state = "end";
    else this.#leave(offset + 1);
  }

  #leave(end: number): void {
    this.#state = "after value";
    if (this.#depth <= this.#listenDepth) this.#listener.leave(this.#depth, end);
  }

  #beginName(byte: number): void {
    if (byte !== QUOTE) throw unexpected();
    this.#inName = true;
    this.#nameLength = 0;
    this.#state = "string";
  }

  #keepName(part: Uint8Array): void {
    if (this.#depth > this.#listenDepth) return;
    const room = this.#name.length - this.#nameLength;
    if (part.length <= room) this.#name.set(part, this.#nameLength);
    this.#nameLength += part.length;
  }

  #nameText(): string {
    if (this.#nameLength > this.#name.length) return "";
    const text = DECODER.decode(this.#name.subarray(0, this.#nameLength));
    return text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text;
  }

  #endString(offset: number): void {
    if (!this.#inName) return this.#leave(offset + 1);
    this.#inName = false;
    this.#state = "colon";
  }

  #beginEscape(): void {
    if (this.#inName) this.#keepName(Uint8Array.of(BACKSLASH));
    this.#state = "escape";
  }

  #escape(byte: number): void {
    if (this.#inName) this.#keepName(Uint8Array.of(byte));
    if (this.#state === "hex digit") {
      if (!isHexDigit(byte)) throw unexpected();
      this.#hexDigits--;
    } else if (byte === LOWER_U) this.#hexDigits = 4;
    else if (!ESCAPED.has(byte)) throw unexpected();
    this.#state = this.#hexDigits > 0 ? "hex digit" : "string";
  }

  #beginWord(byte: number): void {
    const word = WORDS.get(byte);
    if (word === undefined) throw unexpected();
    this.#word = word.slice(1);
    this.#state = "word";
  }

  #wordLetter(byte: number, offset: number): void {
    if (byte !== this.#word.charCodeAt(0)) throw unexpected();
    this.#word = this.#word.slice(1);
    if (this.#word === "") this.#leave(offset + 1);
  }

  /** Whether a number begins with it. */
  #beginNumber(byte: number): boolean {
    const part = nextNumberPart("start", byte);
    if (part === undefined) return false;
    this.#part = part;
    this.#state = "number";
    return true;
  }

  /** Whether it belongs to the number. */
  #numberByte(byte: number): boolean {
    const part = nextNumberPart(this.#part, byte);
    if (part !== undefined) this.#part = part;
    else if (!mayEndNumber(this.#part)) throw unexpected();
    return part !== undefined;
  }
}

function codes(chars: string): ReadonlySet<number> {
  return new Set([...chars].map((char) => char.charCodeAt(0)));
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

function unexpected(): SyntaxError {
  return new SyntaxError("not valid JSON");
}
