/**
 * Follows the frames of one direction of a WebSocket (RFC 6455 §5) without ever keeping a payload:
 * it says how many of the bytes at hand may go on, and stops before the first frame that may not.
 *
 * @module
 */

import { type CloseFrame, parseCloseBody } from "./close_frame.ts";
import { TextTail } from "./text_tail.ts";

/** A breach of the protocol or of the size limit, and the close code that answers it. */
export interface Violation {
  readonly code: 1002 | 1007 | 1009;
  /** For the close frame and the log; says nothing about content. */
  readonly reason: string;
}

/** What a {@link FrameScanner} holds its direction to. */
export interface FrameScannerOptions {
  /** Whether every frame must be masked (from a client) or none may be (from a server). RFC 6455 §5.1. */
  readonly masked: boolean;
  /** The most bytes of one message, its fragments summed. `Infinity` for our own endpoint. */
  readonly maxMessageBytes: number;
}

const CONTINUATION = 0x0;
const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;
const PONG = 0xa;
const MAX_CONTROL_BYTES = 125;

const NO_LIMIT = { untilMessages: Infinity };

/** The most bytes that a scan may leave unconsumed: a masked close frame that is not complete yet. */
export const MAX_HELD_BYTES = 2 + 4 + MAX_CONTROL_BYTES;

/** See the module. */
export class FrameScanner {
  readonly #masked: boolean;
  readonly #maxMessageBytes: number;
  #payloadLeft = 0;
  #frameIsData = false;
  #frameEndsMessage = false;
  #inMessage = false;
  #messageBytes = 0;
  /** Of a text in fragments; null in any other message. */
  #tail: TextTail | null = null;
  #maskKey = new Uint8Array(4);
  #framePassed = 0;

  /** The first breach; nothing is consumed after it. */
  violation: Violation | undefined;
  /** The close frame; it is not consumed, and nothing is after it. */
  close: CloseFrame | undefined;
  /** Data messages seen to their end. */
  messages = 0;
  /** The number, from 1, of the first message that ends within a character; the endpoint does not see it. */
  cutMessage: number | undefined;
  /** Headers and payload bytes of data frames, fragments included: what counts as traffic. */
  dataBytes = 0;

  constructor(options: FrameScannerOptions) {
    this.#masked = options.masked;
    this.#maxMessageBytes = options.maxMessageBytes;
  }

  /** Whether the next byte starts a frame, so that a frame of our own may be put in here. */
  get atFrameBoundary(): boolean {
    return this.#payloadLeft === 0;
  }

  /** Bytes that the frame which has begun still needs. */
  get payloadLeft(): number {
    return this.#payloadLeft;
  }

  /**
   * Looks at `bytes[0, length)`, which follow what was consumed so far.
   *
   * @param options `untilMessages`: stops when so many messages have ended. @default {Infinity}
   * @returns How many of them may go on. The others, at most {@link MAX_HELD_BYTES} unless there is a
   * violation, a close frame or that limit, must be presented again with more behind them.
   */
  scan(
    bytes: Uint8Array,
    length: number,
    options: { readonly untilMessages: number } = NO_LIMIT,
  ): number {
    const { untilMessages } = options;
    let at = 0;
    while (at < length && this.messages < untilMessages) {
      if (this.#payloadLeft > 0) {
        const taken = Math.min(this.#payloadLeft, length - at);
        if (this.#frameIsData) this.#tail?.push(bytes, this.#span(at, at + taken));
        this.#framePassed += taken;
        at += taken;
        this.#payloadLeft -= taken;
        if (this.#frameIsData) this.dataBytes += taken;
        if (this.#payloadLeft === 0) this.#endFrame();
        continue;
      }
      if (this.violation !== undefined || this.close !== undefined) break;
      const headerBytes = this.#readHeader(bytes, at, length);
      if (headerBytes === 0) break;
      at += headerBytes;
    }
    return at;
  }

  /** Takes in one header. Returns its length, or 0 when it is not complete or its frame may not go on. */
  #readHeader(bytes: Uint8Array, at: number, length: number): number {
    if (length - at < 2) return 0;
    const first = bytes[at]!;
    const second = bytes[at + 1]!;
    const opcode = first & 0x0f;
    const final = (first & 0x80) !== 0;
    if ((first & 0x70) !== 0) return this.#refuse(1002, "reserved bits set");
    if (opcode > PONG || (opcode > BINARY && opcode < CLOSE)) {
      return this.#refuse(1002, "reserved opcode");
    }
    if (((second & 0x80) !== 0) !== this.#masked) {
      return this.#refuse(1002, this.#masked ? "frame not masked" : "frame masked");
    }
    const shortLength = second & 0x7f;
    const maskBytes = this.#masked ? 4 : 0;
    if (opcode >= CLOSE) {
      if (!final) return this.#refuse(1002, "fragmented control frame");
      if (shortLength > MAX_CONTROL_BYTES) return this.#refuse(1002, "control frame too long");
      if (length - at < 2 + maskBytes) return 0;
      if (opcode === CLOSE) return this.#readClose(bytes, at, length);
      return this.#beginFrame(2 + maskBytes, shortLength, false, false);
    }
    const lengthBytes = shortLength === 126 ? 2 : shortLength === 127 ? 8 : 0;
    const headerBytes = 2 + lengthBytes + maskBytes;
    if ((opcode === CONTINUATION) !== this.#inMessage) {
      return this.#refuse(1002, this.#inMessage ? "message not finished" : "nothing to continue");
    }
    if (length - at < 2 + lengthBytes) return 0;
    const payloadBytes = readLength(bytes, at, shortLength);
    if (payloadBytes === undefined) return this.#refuse(1002, "frame length over 63 bits");
    const messageBytes = (opcode === CONTINUATION ? this.#messageBytes : 0) + payloadBytes;
    if (messageBytes > this.#maxMessageBytes) return this.#refuse(1009, "message too big");
    if (length - at < headerBytes) return 0;
    this.#messageBytes = messageBytes;
    this.#inMessage = !final;
    this.dataBytes += headerBytes;
    if (opcode === TEXT && !final) this.#tail = new TextTail();
    if (this.#tail !== null && this.#masked) {
      this.#maskKey.set(bytes.subarray(at + headerBytes - 4, at + headerBytes));
    }
    return this.#beginFrame(headerBytes, payloadBytes, true, final);
  }

  #beginFrame(headerBytes: number, payloadBytes: number, isData: boolean, ends: boolean): number {
    this.#payloadLeft = payloadBytes;
    this.#framePassed = 0;
    this.#frameIsData = isData;
    this.#frameEndsMessage = ends;
    if (payloadBytes === 0) this.#endFrame();
    return headerBytes;
  }

  #endFrame(): void {
    if (this.#frameEndsMessage) this.#endMessage();
    this.#frameEndsMessage = false;
    this.#frameIsData = false;
  }

  #endMessage(): void {
    this.messages++;
    if (this.#tail?.isCut === true) this.cutMessage ??= this.messages;
    this.#tail = null;
  }

  /** Payload of the frame at hand, for the tail of a text. */
  #span(from: number, to: number) {
    const mask = this.#masked ? { key: this.#maskKey, passed: this.#framePassed } : null;
    return { from, to, mask };
  }

  #readClose(bytes: Uint8Array, at: number, length: number): 0 {
    const bodyBytes = bytes[at + 1]! & 0x7f;
    const headerBytes = this.#masked ? 6 : 2;
    if (length - at < headerBytes + bodyBytes) return 0;
    const body = bytes.slice(at + headerBytes, at + headerBytes + bodyBytes);
    if (this.#masked) {
      for (let i = 0; i < bodyBytes; i++) body[i]! ^= bytes[at + 2 + (i & 3)]!;
    }
    const close = parseCloseBody(body);
    if ("malformed" in close) return this.#refuse(close.malformed, "malformed close frame");
    this.close = close;
    return 0;
  }

  #refuse(code: Violation["code"], reason: string): 0 {
    this.violation = { code, reason };
    return 0;
  }
}

/** The payload length of a data frame, or undefined when its top bit is set (RFC 6455 §5.2). */
function readLength(bytes: Uint8Array, at: number, shortLength: number): number | undefined {
  if (shortLength < 126) return shortLength;
  if (shortLength === 126) return (bytes[at + 2]! << 8) | bytes[at + 3]!;
  if ((bytes[at + 2]! & 0x80) !== 0) return undefined;
  let value = 0;
  for (let i = 2; i < 10; i++) value = value * 256 + bytes[at + i]!;
  return value;
}

/** Opcodes of data messages, for tests and benchmarks that write frames by hand. */
export const DATA_OPCODES = { text: TEXT, binary: BINARY } as const;
