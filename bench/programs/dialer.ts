/**
 * `dialer.ts PORT BACKEND_URL RUNTIME_DIR`: a relay with the dialer behind the native client, but the
 * built-in server in front. Shows what the dialer costs and what the edge adds.
 *
 * @module
 */

import { Dialer, type DialTarget } from "../../src/wire/mod.ts";

const [port, backendUrl, runtimeDir] = Deno.args;
if (backendUrl === undefined || runtimeDir === undefined) {
  throw new Error("usage: dialer.ts PORT BACKEND_URL RUNTIME_DIR");
}
const { hostname, port: backendPort, host } = new URL(backendUrl);
const target: DialTarget = {
  secure: false,
  hostname,
  port: Number(backendPort),
  hostHeader: host,
  path: "/",
  headers: [],
};
const dialer = await Dialer.start({
  runtimeDir,
  transport: "unix",
  maxMessageBytes: 4 * 1024 * 1024,
  now: () => performance.now(),
});

Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen: () => {} }, (request) => {
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
