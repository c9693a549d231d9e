/**
 * The relay that the built-in sockets give without a wire layer: what the router is compared with.
 * Prints its port.
 *
 * @module
 */

const backendUrl = Deno.args[0];
if (backendUrl === undefined) throw new Error("usage: bare.ts BACKEND_URL");

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => Deno.stdout.writeSync(new TextEncoder().encode(`${port}\n`)),
}, (request) => {
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
