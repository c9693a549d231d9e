/**
 * Response heads: of our own HTTP server's answers to upgrades, and of backends.
 *
 * @module
 */

import { decodeLatin1, parseHeaderLine } from "./header_line.ts";
import { MAX_HEAD_BYTES } from "./request_head.ts";
import type { ByteStream } from "./stream.ts";

/** A response head and everything that was read with it. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** All bytes read; the first {@link headBytes} are the head. */
  readonly bytes: Uint8Array;
  readonly headBytes: number;
}

/** Why there is no response head; for logs. */
export interface ResponseFault {
  readonly fault: string;
}

const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;

/** Reads up to the end of a response head of at most 16 KiB. Interim 1xx answers but 101 are skipped. */
export async function readResponseHead(stream: ByteStream): Promise<ResponseHead | ResponseFault> {
  const bytes = new Uint8Array(MAX_HEAD_BYTES);
  let length = 0;
  let scanned = 0;
  for (;;) {
    const end = endOfHead(bytes, { from: scanned, length });
    if (end !== undefined) {
      const head = parseResponseHead(bytes.subarray(0, end));
      if ("fault" in head) return head;
      if (head.status >= 200 || head.status === 101) {
        return { ...head, bytes: bytes.slice(0, length), headBytes: end };
      }
      bytes.copyWithin(0, end, length);
      length -= end;
      scanned = 0;
      continue;
    }
    scanned = Math.max(0, length - 3);
    if (length === MAX_HEAD_BYTES) return { fault: "response head is too large" };
    const read = await stream.read(bytes.subarray(length));
    if (typeof read !== "number") return { fault: `connection ended (${read}) before an answer` };
    length += read;
  }
}

/** The only value of a header; undefined when it is absent, null when there are several. */
export function singleHeader(head: ResponseHead, name: string): string | null | undefined {
  const values = head.headers.filter(([key]) => key === name);
  return values.length > 1 ? null : values[0]?.[1];
}

function parseResponseHead(
  bytes: Uint8Array,
): Pick<ResponseHead, "status" | "headers"> | ResponseFault {
  const lines = decodeLatin1(bytes.subarray(0, bytes.length - 4)).split("\r\n");
  const status = STATUS_LINE.exec(lines[0]!)?.[1];
  if (status === undefined) return { fault: "not an HTTP/1.x answer" };
  const headers: [string, string][] = [];
  for (const line of lines.slice(1)) {
    const header = parseHeaderLine(line);
    if (header === undefined) return { fault: "malformed header line in the answer" };
    headers.push([header[0].toLowerCase(), header[1]]);
  }
  return { status: Number(status), headers };
}

function endOfHead(
  bytes: Uint8Array,
  options: { readonly from: number; readonly length: number },
): number | undefined {
  for (let at = options.from + 3; at < options.length; at++) {
    if (
      bytes[at] === 0x0a && bytes[at - 1] === 0x0d && bytes[at - 2] === 0x0a &&
      bytes[at - 3] === 0x0d
    ) return at + 1;
  }
  return undefined;
}
