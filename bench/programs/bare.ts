/**
 * `bare.ts PORT BACKEND_URL`: the relay that the built-in sockets give without a wire layer.
 *
 * @module
 */

const [port, backendUrl] = Deno.args;
if (backendUrl === undefined) throw new Error("usage: bare.ts PORT BACKEND_URL");

Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen: () => {} }, (request) => {
  const { socket: client, response } = Deno.upgradeWebSocket(request, { idleTimeout: 0 });
  const backend = new WebSocket(backendUrl);
  const early: (string | ArrayBuffer)[] = [];
  client.binaryType = backend.binaryType = "arraybuffer";
  client.onmessage = ({ data }) =>
    backend.readyState === WebSocket.OPEN ? backend.send(data) : early.push(data);
  backend.onopen = () => {
    for (const data of early) backend.send(data);
  };
  backend.onmessage = ({ data }) => client.send(data);
  client.onclose = () => backend.close();
  backend.onclose = () => client.close();
  return response;
});
