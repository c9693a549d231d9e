/**
 * The fake backend: takes every upgrade and answers messages as a load wants it.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { frame, FrameCounter } from "./frames.ts";
import { HeadReader } from "./head_reader.ts";
import type { Loop, Socket, SocketHandler } from "./loop.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const CLOSE = frame(Uint8Array.of(1000 >> 8, 1000 & 0xff), { masked: false, opcode: 8 });
const PONG = frame(new Uint8Array(), { masked: false, opcode: 10 });

/** One connection of the backend's. */
export interface BackendSession {
  readonly socket: Socket;
  /** Messages that have come. */
  received: number;
  /** The length of the first message, by which a load tells its sessions apart. */
  firstBytes: number;
}

/** What a backend does with a message. */
export type OnMessage = (session: BackendSession, payloadBytes: number) => void;

/** The fake backend. */
export class FakeBackend {
  readonly port: number;
  /** Exchanged by every load. */
  onMessage: OnMessage = () => {};
  readonly #sockets = new Set<Socket>();

  constructor(loop: Loop) {
    this.port = loop.listen((socket) => this.#accept(socket));
  }

  /** Connections that are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Ends what a load has left, so that nothing of it reaches the next. */
  reset(): void {
    this.onMessage = () => {};
    for (const socket of this.#sockets) socket.close();
    this.#sockets.clear();
  }

  #accept(socket: Socket): SocketHandler {
    const session: BackendSession = { socket, received: 0, firstBytes: 0 };
    this.#sockets.add(socket);
    let upgraded = false;
    const head = new HeadReader();
    const frames = new FrameCounter((opcode, payloadBytes) => {
      if (opcode === 1 || opcode === 2) {
        if (session.received++ === 0) session.firstBytes = payloadBytes;
        this.onMessage(session, payloadBytes);
      } else if (opcode === 9) socket.send(PONG);
      else if (opcode === 8) {
        socket.send(CLOSE);
        socket.closeWhenSent();
        this.#sockets.delete(socket);
      }
    });
    return {
      onBytes: (bytes, length) => {
        if (upgraded) return frames.take(bytes, length);
        const rest = head.take(bytes, length);
        if (rest === undefined) return;
        const key = /^sec-websocket-key:\s*(\S+)/im.exec(head.text)?.[1];
        if (key === undefined) {
          // Whatever asks whether somebody listens here.
          socket.close();
          this.#sockets.delete(socket);
          return;
        }
        upgraded = true;
        socket.send(answer(key));
        if (rest < length) frames.take(bytes.subarray(rest, length), length - rest);
      },
      onEnd: () => this.#sockets.delete(socket),
    };
  }
}

function answer(key: string): Uint8Array<ArrayBuffer> {
  const accept = createHash("sha1").update(key + GUID).digest("base64");
  return new TextEncoder().encode(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
}
