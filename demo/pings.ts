/**
 * Backends that ping: to find out who is still there, or without end.
 *
 * @module
 */

// @ts-types="@types/ws"
import { WebSocket } from "ws";

const BURST_SIZE = 16;

/** Pings like those of uvicorn, which has both at 20 s. */
export interface Keepalive {
  readonly intervalMs: number;
  /** A pong that takes longer ends the connection without a Close frame. */
  readonly timeoutMs: number;
  /** Told of every pong. */
  readonly onPong?: () => void;
}

/** Pings until the connection ends, and ends it when a pong does not come. */
export function keepAlive(webSocket: WebSocket, options: Keepalive): void {
  let deadline: ReturnType<typeof setTimeout> | null = null;
  const stopWaiting = () => {
    if (deadline !== null) clearTimeout(deadline);
    deadline = null;
  };
  const interval = setInterval(() => {
    if (deadline !== null || webSocket.readyState !== WebSocket.OPEN) return;
    deadline = setTimeout(() => webSocket.terminate(), options.timeoutMs);
    webSocket.ping();
  }, options.intervalMs);
  webSocket.on("pong", () => {
    stopWaiting();
    options.onPong?.();
  });
  webSocket.once("close", () => {
    clearInterval(interval);
    stopWaiting();
  });
}

/** Pings thousands of times a second, as long as the connection takes it, until it ends. */
export function floodWithPings(webSocket: WebSocket): void {
  // Bursts, between which whoever shares the event loop gets a turn.
  const burst = () => {
    for (let n = 1; n < BURST_SIZE; n++) webSocket.ping();
    webSocket.ping("", false, () => {
      if (webSocket.readyState === WebSocket.OPEN) timer = setTimeout(burst, 0);
    });
  };
  let timer = setTimeout(burst, 0);
  webSocket.once("close", () => clearTimeout(timer));
}
