/**
 * Where the members of a JSON object lie in its bytes (RFC 8259). Nothing is built from what is read: a
 * body of small values would take many times its own size as objects, and numbers would lose digits.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { type JsonListener, JsonScanner } from "./json_scanner.ts";

/** One member of the outermost object. */
export interface JsonMember {
  /** Its name, escapes resolved; empty when it is longer than any that is asked for. */
  readonly name: string;
  /** First byte of its value. */
  readonly start: number;
  /** The byte after its value. */
  readonly end: number;
}

/** More members than any request of an API has. */
export const MAX_MEMBERS = 1_000;

/** Reads a text as its pieces come. Every error is a `SyntaxError` whose message repeats nothing of the text. */
export class JsonMembers {
  readonly #members: JsonMember[] = [];
  readonly #scanner = new JsonScanner(collector(this.#members), 1);

  /** Reads the next piece. @throws {SyntaxError} as soon as this can be no object, or one with too many members. */
  push(piece: Uint8Array): void {
    this.#scanner.push(piece);
  }

  /**
   * The members in their order, repeated names too.
   *
   * @param bytes All pieces.
   * @throws {SyntaxError} when the object has not ended, or is not in UTF-8.
   */
  end(bytes: Uint8Array): readonly JsonMember[] {
    this.#scanner.end();
    if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
    return this.#members;
  }
}

/** The value that a member has. */
export function memberValue(bytes: Uint8Array, { start, end }: JsonMember): unknown {
  return JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)));
}

function collector(members: JsonMember[]): JsonListener {
  let entered = { name: "", start: 0 };
  return {
    enter: (name = "", _depth, start) => {
      if (members.length === MAX_MEMBERS) throw new SyntaxError("too many members");
      entered = { name, start };
    },
    leave: (_depth, end) => void members.push({ ...entered, end }),
  };
}
