/**
 * Takes out of a JSON answer, of any length, what tells its cost and its end. All else, such as images,
 * embeddings and texts, is only stepped over: the memory is bounded by the answer's few facts.
 *
 * @module
 */

import { ByteBuffer } from "./byte_buffer.ts";
import { type JsonListener, JsonScanner } from "./json_scanner.ts";

/** A longer value of a member that is looked at counts as empty. */
export const MAX_VALUE_BYTES = 64 * 1024;
/** As many different reasons of choices are kept. */
export const MAX_REASONS = 16;

/** Members whose values are taken whole, of the answer and of the `response` in an event. */
const TAKEN: ReadonlySet<string> = new Set([
  "type",
  "usage",
  "status",
  "incomplete_details",
  "error",
]);

/** As deep as something is looked for: an answer's `choices[].finish_reason`. */
const DEPTH = 3;
const OPEN_OBJECT = 0x7b;

type Found = Record<string, unknown>;

/** Reads one answer, or one event of a stream, as its pieces come. */
export class AnswerScan {
  readonly #found: Found = {};
  readonly #scanner: JsonScanner;
  readonly #value = new ByteBuffer();
  /** Names of the members around what is read now; undefined for elements of arrays. */
  readonly #path: (string | undefined)[] = [];
  #taking: { readonly depth: number; readonly keep: (value: unknown) => void } | undefined;
  #tooLong = false;
  /** Where in the whole text the piece begins that is read now, and what of it was already taken. */
  #pieceStart = 0;
  #takenTo = 0;
  #piece: Uint8Array = new Uint8Array(0);
  #broken = false;

  constructor() {
    const listener: JsonListener = {
      enter: (name, depth, start) => this.#enter(name, depth, start),
      leave: (depth, end) => this.#leave(depth, end),
    };
    this.#scanner = new JsonScanner(listener, DEPTH);
  }

  /** Reads the next piece. Never throws: what is no JSON has no facts. */
  push(piece: Uint8Array): void {
    if (this.#broken) return;
    this.#piece = piece;
    this.#takenTo = this.#pieceStart;
    try {
      this.#scanner.push(piece);
    } catch {
      this.#broken = true;
      return;
    }
    if (this.#taking !== undefined) this.#take(this.#pieceStart + piece.length);
    this.#pieceStart += piece.length;
  }

  /** The answer, reduced to what was looked for; undefined when it was no JSON object. */
  end(): Readonly<Found> | undefined {
    if (this.#broken) return undefined;
    try {
      this.#scanner.end();
      return this.#found;
    } catch {
      return undefined;
    }
  }

  #enter(name: string | undefined, depth: number, start: number): void {
    this.#path.length = depth - 1;
    this.#path.push(name);
    if (this.#taking !== undefined) return;
    const keep = this.#keeperOf(depth);
    if (keep === undefined) return;
    this.#taking = { depth, keep };
    this.#tooLong = false;
    this.#takenTo = start;
  }

  #leave(depth: number, end: number): void {
    const taking = this.#taking;
    if (taking?.depth !== depth) return;
    this.#take(end);
    taking.keep(this.#taken());
    this.#taking = undefined;
    this.#value.clear();
  }

  /** What to do with the value that begins now; undefined when it is only stepped over. */
  #keeperOf(depth: number): ((value: unknown) => void) | undefined {
    const [outer, inner, innermost] = this.#path;
    if (outer === undefined) return undefined;
    if (depth === 1) return this.#keeperOfMember(outer);
    if (outer === "response" && depth === 2 && inner !== undefined && TAKEN.has(inner)) {
      return (value) => this.#response()[inner] = value;
    }
    if (outer === "choices" && depth === 3 && inner === undefined && innermost === REASON) {
      return (value) => this.#keepReason(value);
    }
    return undefined;
  }

  #keeperOfMember(name: string): ((value: unknown) => void) | undefined {
    if (TAKEN.has(name)) return (value) => this.#found[name] = value;
    // Of a name that comes twice the later one counts, as for JSON.parse().
    if (name === "choices" || name === "response") delete this.#found[name];
    return undefined;
  }

  #response(): Found {
    const response = (this.#found["response"] ?? {}) as Found;
    this.#found["response"] = response;
    return response;
  }

  #keepReason(reason: unknown): void {
    const choices = (this.#found["choices"] ?? []) as Found[];
    this.#found["choices"] = choices;
    const known = choices.some((choice) => choice[REASON] === reason);
    if (!known && choices.length < MAX_REASONS) choices.push({ [REASON]: reason });
  }

  /** Copies what the piece has of the value before `end`. */
  #take(end: number): void {
    const part = this.#piece.subarray(this.#takenTo - this.#pieceStart, end - this.#pieceStart);
    this.#tooLong ||= this.#value.length + part.length > MAX_VALUE_BYTES;
    // Its first byte tells what it is.
    if (!this.#tooLong) this.#value.append(part);
    else if (this.#value.length === 0) this.#value.append(part.subarray(0, 1));
  }

  #taken(): unknown {
    const { bytes } = this.#value;
    if (this.#tooLong) return bytes[0] === OPEN_OBJECT ? {} : undefined;
    return JSON.parse(DECODER.decode(bytes));
  }
}

const REASON = "finish_reason";
const DECODER = new TextDecoder();
