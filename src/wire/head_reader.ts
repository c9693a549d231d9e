/**
 * Reads request heads off a client connection, and keeps what was read beyond them.
 *
 * @module
 */

import type { EdgeRefusal } from "./edge_refusal.ts";
import {
  findHeadEnd,
  type HeadFault,
  MAX_HEAD_BYTES,
  MAX_HEADER_LINES,
  parseRequestHead,
  type RequestHead,
} from "./request_head.ts";
import type { ByteStream } from "./stream.ts";

/** See the module. */
export class HeadReader {
  readonly #stream: ByteStream;
  readonly #onBegin: () => void;
  #held: Uint8Array = new Uint8Array(0);

  /** @param options `onBegin` is called when the first byte of a head is there and its end is not. */
  constructor(stream: ByteStream, options: { readonly onBegin: () => void }) {
    this.#stream = stream;
    this.#onBegin = options.onBegin;
  }

  /** Reads one head. Resolves to `ended` when the client has, or is no longer listened to. */
  async read(): Promise<RequestHead | EdgeRefusal | "ended"> {
    const bytes = new Uint8Array(MAX_HEAD_BYTES);
    let length = this.#held.length;
    bytes.set(this.#held);
    this.#held = new Uint8Array(0);
    let scanned = 0;
    let start = 0;
    let hasBegun = false;
    for (;;) {
      // RFC 9112 §2.2: an empty line before a request is passed over.
      while (length - start >= 2 && bytes[start] === 0x0d && bytes[start + 1] === 0x0a) start += 2;
      scanned = Math.max(scanned, start);
      const end = findHeadEnd(bytes.subarray(start), {
        from: scanned - start,
        length: length - start,
      });
      if (typeof end === "object") return invalid(end);
      if (end !== undefined) {
        this.#held = bytes.slice(start + end, length);
        const head = parseRequestHead(bytes.subarray(start, start + end));
        if ("fault" in head) return invalid(head);
        return head.headers.length > MAX_HEADER_LINES ? tooLarge("too many header lines") : head;
      }
      scanned = length;
      if (length === MAX_HEAD_BYTES) return tooLarge("request head is too large");
      if (!hasBegun && length > start) {
        hasBegun = true;
        this.#onBegin();
      }
      const read = await this.#stream.read(bytes.subarray(length));
      if (typeof read !== "number") return "ended";
      length += read;
    }
  }

  /** Takes at most `count` of the bytes that were read beyond the last head. */
  takeHeld(count = Infinity): Uint8Array {
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }
}

function invalid({ fault }: HeadFault): EdgeRefusal {
  return { code: "invalid_request", message: fault };
}

function tooLarge(message: string): EdgeRefusal {
  return { code: "request_header_too_large", message };
}
