// @ts-check
/**
 * The `WebSocket` that a runtime or a browser has by itself.
 */

import { Inbox } from "./dialogue.js";

/**
 * @param {string} url
 * @param {any} [options] Protocols; or, outside of browsers, an object with headers.
 * @returns {import("./dialogue.js").Line & { socket: WebSocket }}
 */
export function openWebSocket(url, options) {
  const socket = options === undefined ? new WebSocket(url) : new WebSocket(url, options);
  return { socket, ...lineOf(socket) };
}

/**
 * @param {WebSocket} socket
 * @returns {import("./dialogue.js").Line}
 */
function lineOf(socket) {
  const inbox = new Inbox();
  let error = "";
  socket.onmessage = ({ data }) => inbox.put({ event: JSON.parse(data) });
  socket.onerror = (event) => {
    error = "error, ";
    // Node may leave it at that. A browser says nothing here, but closes.
    if ("message" in event) inbox.put({ ended: `error "${event.message}"` });
  };
  socket.onclose = (event) => inbox.put({ ended: error + shownClose(event) });
  return {
    inbox,
    send: (message) => socket.send(JSON.stringify(message)),
    close: () => socket.close(1000),
  };
}

/**
 * How the end of a connection is written.
 *
 * @param {{ code: number, reason: string }} event
 */
export function shownClose({ code, reason }) {
  return reason === "" ? `close ${code}` : `close ${code} "${reason}"`;
}
