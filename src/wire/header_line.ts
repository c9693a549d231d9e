/**
 * Header lines of requests and responses (RFC 9112 §5), held to the grammar.
 *
 * @module
 */

import { Buffer } from "node:buffer";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const TAB = 0x09;
const SPACE = 0x20;

/** Gives every byte the character of its number. `TextDecoder` means windows-1252 by `latin1`. */
export function decodeLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/**
 * Takes a line apart, in a time in proportion to its length whatever it holds. Undefined when it is not
 * a header line: nothing may stand between a name and its colon, and no control character anywhere.
 */
export function parseHeaderLine(line: string): [name: string, value: string] | undefined {
  const colon = line.indexOf(":");
  const name = line.slice(0, Math.max(0, colon));
  const value = trimBlanks(line.slice(colon + 1));
  return NAME.test(name) && VALUE.test(value) ? [name, value] : undefined;
}

/** Takes off spaces and tabs, and nothing else: to `trim`, a no-break space is one more of them. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}
