/**
 * `node ws_relay.mjs PORT BACKEND_URL WS_MODULE`: the least relay on npm `ws`. No limits, no metering, no
 * backpressure: less than a router may do.
 *
 * @module
 */

const [port, backendUrl, wsModule] = process.argv.slice(2);
const { WebSocket, WebSocketServer } = await import(wsModule);

const server = new WebSocketServer({
  host: "127.0.0.1",
  port: Number(port),
  perMessageDeflate: false,
});
server.on("connection", (client) => {
  const backend = new WebSocket(backendUrl, { perMessageDeflate: false });
  const early = [];
  client.on("message", (data, binary) => {
    if (backend.readyState === WebSocket.OPEN) backend.send(data, { binary });
    else early.push([data, binary]);
  });
  backend.on("open", () => {
    for (const [data, binary] of early) backend.send(data, { binary });
  });
  backend.on("message", (data, binary) => client.send(data, { binary }));
  client.on("close", () => backend.close());
  backend.on("close", () => client.close());
  client.on("error", () => backend.terminate());
  backend.on("error", () => client.terminate());
});
