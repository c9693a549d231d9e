/**
 * The connection below a session: what a backend can do to it, the unfriendly ways included.
 *
 * @module
 */

import { Socket } from "node:net";
import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import { WebSocket } from "ws";

/** A way for the backend to end the connection. */
export type Exit =
  /** With a Close frame; 1005 sends an empty one. */
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  /** The TCP connection ends without a Close frame. */
  | { readonly kind: "fin" }
  /** The TCP connection is reset. */
  | { readonly kind: "reset" }
  /** Nothing more is read, answered or sent, and the connection stays. */
  | { readonly kind: "freeze" };

/** A session's way to its client. */
export interface Transport {
  /** Sends one text message; ends the connection when the client has stopped reading. */
  send(text: string): void;
  /** Ends the connection. */
  leave(exit: Exit): void;
}

/** Unread messages that a client may leave in memory. */
const MAX_QUEUED_BYTES = 67_108_864;
/** How long a client may leave a FIN unanswered. */
const FIN_TIMEOUT_MS = 5_000;

/** The transport over an accepted WebSocket and the socket it runs on. */
export function webSocketTransport(
  webSocket: WebSocket,
  socket: Duplex,
  options: {
    /** Whether frames are masked, which RFC 6455 §5.1 forbids a server. */
    readonly masksFrames: boolean;
  },
): Transport {
  let frozen = false;
  return {
    send(text) {
      if (webSocket.readyState !== WebSocket.OPEN) return;
      webSocket.send(text, { mask: options.masksFrames });
      if (webSocket.bufferedAmount > MAX_QUEUED_BYTES) webSocket.terminate();
    },
    leave(exit) {
      // Nothing is sent any more, a Close frame included.
      if (frozen) return webSocket.terminate();
      if (exit.kind === "fin") return finish(webSocket, socket);
      if (exit.kind === "reset") return reset(webSocket, socket);
      if (exit.kind === "freeze") {
        frozen = true;
        return webSocket.pause();
      }
      if (exit.code === 1005) webSocket.close();
      else webSocket.close(exit.code, exit.reason);
    },
  };
}

function finish(webSocket: WebSocket, socket: Duplex): void {
  socket.end();
  const timer = setTimeout(() => webSocket.terminate(), FIN_TIMEOUT_MS);
  webSocket.once("close", () => clearTimeout(timer));
}

function reset(webSocket: WebSocket, socket: Duplex): void {
  if (socket instanceof Socket) socket.resetAndDestroy();
  else webSocket.terminate();
}
