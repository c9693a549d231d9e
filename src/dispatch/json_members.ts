/**
 * Where the members of a JSON object lie in its bytes (RFC 8259). Nothing is built from what is read: a
 * body of small values would take many times its own size as objects, and numbers would lose digits.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { JsonCursor } from "./json_cursor.ts";

/** One member of the outermost object. */
export interface JsonMember {
  /** Its name, escapes resolved. */
  readonly name: string;
  /** First byte of its value. */
  readonly start: number;
  /** The byte after its value. */
  readonly end: number;
}

/** More members than any request or answer of an API has. */
export const MAX_MEMBERS = 1_000;

/**
 * Reads the whole text, and lists the members of its outermost object in their order, repeated names too.
 *
 * @throws {SyntaxError} when it is not valid JSON in UTF-8, not an object, nested too deeply, or has more
 * than {@link MAX_MEMBERS} members. The message repeats nothing of the text.
 */
export function jsonMembers(bytes: Uint8Array): readonly JsonMember[] {
  if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
  const cursor = new JsonCursor(bytes);
  const members: JsonMember[] = [];
  cursor.skipBlanks();
  cursor.expect("{");
  cursor.skipBlanks();
  if (!cursor.take("}")) {
    do {
      if (members.length === MAX_MEMBERS) throw new SyntaxError("too many members");
      members.push(readMember(cursor, bytes));
    } while (cursor.take(","));
    cursor.expect("}");
  }
  cursor.skipBlanks();
  if (!cursor.atEnd) throw new SyntaxError("text after the object");
  return members;
}

/** The value that a member has. */
export function memberValue(bytes: Uint8Array, member: JsonMember): unknown {
  return valueAt(bytes, member);
}

function readMember(cursor: JsonCursor, bytes: Uint8Array): JsonMember {
  cursor.skipBlanks();
  const nameStart = cursor.at;
  cursor.skipString();
  const name = valueAt(bytes, { start: nameStart, end: cursor.at });
  cursor.skipBlanks();
  cursor.expect(":");
  cursor.skipBlanks();
  const start = cursor.at;
  cursor.skipValue();
  const end = cursor.at;
  cursor.skipBlanks();
  return { name: String(name), start, end };
}

function valueAt(
  bytes: Uint8Array,
  span: { readonly start: number; readonly end: number },
): unknown {
  return JSON.parse(new TextDecoder().decode(bytes.subarray(span.start, span.end)));
}
