/**
 * A client's side of a session.
 *
 * @module
 */

import { randomBytes } from "node:crypto";
import { frame, FrameCounter } from "./frames.ts";
import { HeadReader } from "./head_reader.ts";
import type { Loop, Socket } from "./loop.ts";

const CLOSE = frame(Uint8Array.of(1000 >> 8, 1000 & 0xff), { masked: true, opcode: 8 });

/** Where sessions go. */
export interface Target {
  readonly port: number;
  readonly path: string;
  /** @default {{}} */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a session tells. */
export interface SessionEvents {
  readonly onOpen: (session: ClientSession) => void;
  readonly onMessage: (session: ClientSession, payloadBytes: number) => void;
  /** The session has ended, with the reason; one that was asked for has none. */
  readonly onEnd: (session: ClientSession, fault: string | undefined) => void;
}

/** One session. */
export class ClientSession {
  readonly index: number;
  /** When it began to connect, by `performance.now()`. */
  readonly startedMs = performance.now();
  readonly #socket: Socket;
  readonly #head = new HeadReader();
  readonly #frames: FrameCounter;
  readonly #events: SessionEvents;
  #state: "connecting" | "open" | "closing" | "ended" = "connecting";

  constructor(
    loop: Loop,
    { index, target, events }: {
      readonly index: number;
      readonly target: Target;
      readonly events: SessionEvents;
    },
  ) {
    this.index = index;
    this.#events = events;
    this.#frames = new FrameCounter((opcode, payloadBytes) => this.#onFrame(opcode, payloadBytes));
    this.#socket = loop.connect(target.port, {
      onConnect: (socket) => socket.send(request(target)),
      onBytes: (bytes, length) => this.#onBytes(bytes, length),
      onEnd: () =>
        this.#end(this.#state === "connecting" ? "no answer came" : "the connection ended"),
    });
  }

  /** Whether messages pass. */
  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Whether the kernel takes no more for now. */
  get isBlocked(): boolean {
    return this.#socket.isBlocked;
  }

  /** Sends a frame made before. */
  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.#socket.send(bytes);
  }

  /** Begins to close. */
  close(): void {
    if (this.#state !== "open") return;
    this.#state = "closing";
    this.#socket.send(CLOSE);
  }

  /** Closes the connection at once. */
  abort(): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    this.#socket.close();
  }

  #onBytes(bytes: Uint8Array<ArrayBuffer>, length: number): void {
    if (this.#state !== "connecting") return this.#frames.take(bytes, length);
    const rest = this.#head.take(bytes, length);
    if (rest === undefined) return;
    const status = /^HTTP\/1\.1 (\d{3})/.exec(this.#head.text)?.[1];
    if (status !== "101") return this.#end(`answered ${status}`);
    this.#state = "open";
    this.#events.onOpen(this);
    if (rest < length) this.#frames.take(bytes.subarray(rest, length), length - rest);
  }

  #onFrame(opcode: number, payloadBytes: number): void {
    if (opcode === 1 || opcode === 2) this.#events.onMessage(this, payloadBytes);
    else if (opcode === 8) this.#end("a close frame came");
  }

  #end(fault: string): void {
    if (this.#state === "ended") return;
    const expected = this.#state === "closing";
    this.#state = "ended";
    this.#socket.close();
    this.#events.onEnd(this, expected ? undefined : fault);
  }
}

function request({ port, path, headers = {} }: Target): Uint8Array<ArrayBuffer> {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
}
