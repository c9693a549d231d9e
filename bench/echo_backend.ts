/**
 * A WebSocket server that sends every message back. Prints its port.
 *
 * @module
 */

import { WebSocketServer } from "ws";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
server.on("connection", (socket) => {
  socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
  socket.on("error", () => {});
});
server.on("listening", () => {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  Deno.stdout.writeSync(new TextEncoder().encode(`${address.port}\n`));
});
