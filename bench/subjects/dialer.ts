/**
 * A relay with the dialer behind the native client, but the built-in server in front: shows what the
 * dialer costs and what the edge adds. Prints its port.
 *
 * @module
 */

import { Dialer, type DialTarget } from "../../src/wire/mod.ts";

const backendUrl = Deno.args[0];
if (backendUrl === undefined) throw new Error("usage: dialer.ts BACKEND_URL");
const { hostname, port, host } = new URL(backendUrl);
const target: DialTarget = {
  secure: false,
  hostname,
  port: Number(port),
  hostHeader: host,
  path: "/",
  headers: [],
};
const dialer = await Dialer.start({
  runtimeDir: "/tmp/realtime-router-bench",
  transport: "unix",
  maxMessageBytes: 4 * 1024 * 1024,
  now: () => performance.now(),
});

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => Deno.stdout.writeSync(new TextEncoder().encode(`${port}\n`)),
}, (request) => {
  const { socket: client, response } = Deno.upgradeWebSocket(request, { idleTimeout: 0 });
  client.binaryType = "arraybuffer";
  client.onopen = async () => {
    const early: (string | ArrayBuffer)[] = [];
    client.onmessage = ({ data }) => early.push(data);
    const { socket: backend, leg, abort } = await dialer.dial(target);
    backend.binaryType = "arraybuffer";
    backend.onopen = () => {
      for (const data of early) backend.send(data);
      client.onmessage = ({ data }) => backend.send(data);
    };
    backend.onmessage = ({ data }) => {
      leg.messageTaken();
      client.send(data);
    };
    client.onclose = () => abort();
    backend.onclose = () => client.close();
  };
  return response;
});
