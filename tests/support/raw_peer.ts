/**
 * A WebSocket peer without a WebSocket implementation: it writes frames bit by bit as a test wants
 * them, and shows every byte that comes. It serves as client and as backend.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { payloadSent } from "./log_watch.ts";

/** A frame as it came. */
export interface RawFrame {
  readonly final: boolean;
  readonly reserved: number;
  readonly opcode: number;
  readonly masked: boolean;
  /** Unmasked. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** A frame to write. */
export interface FrameToWrite {
  readonly opcode: number;
  readonly payload?: Uint8Array | string;
  /** @default {true} */
  readonly final?: boolean;
  /** @default {0} */
  readonly reserved?: number;
  /** Overrides what the peer's role asks for. */
  readonly masked?: boolean;
  /** A length to claim instead of the payload's own. */
  readonly claimedLength?: bigint;
}

/** Opcodes by name. */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** How a connection ended: `fin`, `rst`, or the time limit of the test passed. */
export type RawEnd = "fin" | "rst";

const encoder = new TextEncoder();

/** Writes one frame. */
export function encodeFrame(
  frame: FrameToWrite,
  options: { readonly masked: boolean },
): Uint8Array {
  const payload = typeof frame.payload === "string"
    ? encoder.encode(frame.payload)
    : frame.payload ?? new Uint8Array(0);
  const masked = frame.masked ?? options.masked;
  const length = frame.claimedLength ?? BigInt(payload.length);
  const head: number[] = [
    (frame.final ?? true ? 0x80 : 0) | ((frame.reserved ?? 0) << 4) | frame.opcode,
  ];
  const maskBit = masked ? 0x80 : 0;
  if (length < 126n) head.push(maskBit | Number(length));
  else if (length < 65536n) head.push(maskBit | 126, Number(length) >> 8, Number(length) & 0xff);
  else {
    head.push(maskBit | 127);
    for (let shift = 56n; shift >= 0n; shift -= 8n) head.push(Number((length >> shift) & 0xffn));
  }
  const key = masked ? [0x12, 0x34, 0x56, 0x78] : [];
  const bytes = new Uint8Array(head.length + key.length + payload.length);
  bytes.set([...head, ...key]);
  bytes.set(payload, head.length + key.length);
  if (masked) {
    const start = head.length + 4;
    for (let i = 0; i < payload.length; i++) bytes[start + i]! ^= key[i & 3]!;
  }
  return bytes;
}

/** The body of a close frame. */
export function closeBody(code: number, reason: string | Uint8Array = ""): Uint8Array {
  const text = typeof reason === "string" ? encoder.encode(reason) : reason;
  const body = new Uint8Array(2 + text.length);
  body.set([code >> 8, code & 0xff]);
  body.set(text, 2);
  return body;
}

/** What a {@link RawPeer} needs of its connection. */
export interface RawConn {
  read(buffer: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
  /** Sends a RST; only connections that can. */
  reset?(): void;
  closeWrite?(): Promise<void>;
  /** Resolves when the descriptor is closed; absent when `close` does that at once. */
  readonly closed?: Promise<void>;
}

/** See the module. */
export class RawPeer implements Disposable {
  readonly conn: RawConn;
  readonly #masks: boolean;
  #buffer = new Uint8Array(0);
  #end: RawEnd | undefined;

  /** @param options `masks`: whether it writes as a client. */
  constructor(conn: RawConn, options: { readonly masks: boolean }) {
    this.conn = conn;
    this.#masks = options.masks;
  }

  /** How the other side ended the connection; undefined while it has not. */
  get end(): RawEnd | undefined {
    return this.#end;
  }

  /** Writes bytes as they are. */
  async write(bytes: Uint8Array | string): Promise<void> {
    const all = typeof bytes === "string" ? encoder.encode(bytes) : bytes;
    for (let at = 0; at < all.length;) at += await this.conn.write(all.subarray(at));
  }

  async send(frame: FrameToWrite): Promise<void> {
    if (typeof frame.payload === "string" && frame.opcode !== OPCODE.close) {
      payloadSent(frame.payload);
    }
    await this.write(encodeFrame(frame, { masked: this.#masks }));
  }

  async sendText(text: string): Promise<void> {
    await this.send({ opcode: OPCODE.text, payload: text });
  }

  async sendClose(code?: number, reason?: string | Uint8Array): Promise<void> {
    const payload = code === undefined ? new Uint8Array(0) : closeBody(code, reason);
    await this.send({ opcode: OPCODE.close, payload });
  }

  /** Reads exactly `count` bytes; null when the connection ends before. */
  async readBytes(count: number): Promise<Uint8Array<ArrayBuffer> | null> {
    while (this.#buffer.length < count) {
      if (!await this.#more()) return null;
    }
    const bytes = this.#buffer.slice(0, count);
    this.#buffer = this.#buffer.slice(count);
    return bytes;
  }

  /** Reads up to and with the empty line of a head; null when the connection ends before. */
  async readHead(): Promise<string | null> {
    for (;;) {
      const text = new TextDecoder("latin1").decode(this.#buffer);
      const end = text.indexOf("\r\n\r\n");
      if (end !== -1) {
        this.#buffer = this.#buffer.slice(end + 4);
        return text.slice(0, end + 4);
      }
      if (!await this.#more()) return null;
    }
  }

  /** Reads a frame; null when the connection ends before or within it. */
  async readFrame(): Promise<RawFrame | null> {
    const head = await this.readBytes(2);
    if (head === null) return null;
    const masked = (head[1]! & 0x80) !== 0;
    let length = head[1]! & 0x7f;
    if (length > 125) {
      const more = await this.readBytes(length === 126 ? 2 : 8);
      if (more === null) return null;
      length = more.reduce((value, byte) => value * 256 + byte, 0);
    }
    const key = masked ? await this.readBytes(4) : new Uint8Array(4);
    const payload = await this.readBytes(length);
    if (key === null || payload === null) return null;
    if (masked) { for (let i = 0; i < length; i++) payload[i]! ^= key[i & 3]!; }
    return {
      final: (head[0]! & 0x80) !== 0,
      reserved: (head[0]! >> 4) & 7,
      opcode: head[0]! & 0x0f,
      masked,
      payload,
    };
  }

  /** Reads frames until the next data or close frame; pings and pongs are passed over. */
  async readMessage(): Promise<RawFrame | null> {
    for (;;) {
      const frame = await this.readFrame();
      if (frame === null || frame.opcode < OPCODE.ping) return frame;
    }
  }

  /** Reads messages until the close frame: its code and reason; null code for an empty one. */
  async readClose(): Promise<{ readonly code: number | null; readonly reason: string } | null> {
    for (;;) {
      const frame = await this.readFrame();
      if (frame === null) return null;
      if (frame.opcode === OPCODE.close) return readCloseBody(frame.payload);
    }
  }

  /** Reads everything until the connection ends. */
  async readRest(): Promise<Uint8Array> {
    while (await this.#more());
    const rest = this.#buffer;
    this.#buffer = new Uint8Array(0);
    return rest;
  }

  /** Sends a RST. */
  reset(): void {
    if (this.conn.reset === undefined) throw new TypeError("this connection cannot be reset");
    this.conn.reset();
  }

  async #more(): Promise<boolean> {
    if (this.#end !== undefined) return false;
    const chunk = new Uint8Array(64 * 1024);
    let read: number | null;
    try {
      read = await this.conn.read(chunk);
    } catch (error) {
      this.#end = error instanceof Deno.errors.UnexpectedEof ? "fin" : "rst";
      return false;
    }
    if (read === null) {
      this.#end = "fin";
      return false;
    }
    const joined = new Uint8Array(this.#buffer.length + read);
    joined.set(this.#buffer);
    joined.set(chunk.subarray(0, read), this.#buffer.length);
    this.#buffer = joined;
    return true;
  }

  [Symbol.dispose](): void {
    try {
      this.conn.close();
    } catch {
      // Closed already.
    }
  }
}

/** What a close frame's body says. */
export function readCloseBody(
  body: Uint8Array,
): { readonly code: number | null; readonly reason: string } {
  if (body.length < 2) return { code: null, reason: "" };
  const code = (body[0]! << 8) | body[1]!;
  return { code, reason: new TextDecoder().decode(body.subarray(2)) };
}

/** A text frame's text. */
export function textOf(frame: RawFrame | null): string | null {
  return frame === null
    ? null
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(frame.payload);
}

/** The value that answers a handshake key (RFC 6455 §4.2.2). */
export function acceptFor(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}
