/**
 * `tunnel.ts PORT BACKEND_URL`: bytes from one socket to another and nothing else: what one hop costs in this
 * runtime, of which the router has three.
 *
 * @module
 */

const [port, backendUrl] = Deno.args;
if (backendUrl === undefined) throw new Error("usage: tunnel.ts PORT BACKEND_URL");
const backend = { hostname: "127.0.0.1", port: Number(new URL(backendUrl).port) };
const listener = Deno.listen({ hostname: "127.0.0.1", port: Number(port) });
for await (const client of listener) void tunnel(client);

async function tunnel(client: Deno.TcpConn): Promise<void> {
  using from = client;
  using to = await Deno.connect(backend);
  from.setNoDelay(true);
  to.setNoDelay(true);
  // A peer that resets the connection ends it; whoever started the load knows.
  await Promise.allSettled([pump(from, to), pump(to, from)]);
}

async function pump(from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(16 * 1024);
  for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
    for (let at = 0; at < read;) at += await to.write(buffer.subarray(at, read));
  }
  await to.closeWrite();
}
