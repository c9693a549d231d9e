/**
 * The HTTP server behind the edge, attacked from this machine, and a router without descriptors.
 *
 * Needs what `memory_test.ts` needs, `sh` to set a limit, and /proc. Linux only.
 */

import assert from "node:assert/strict";
import { connect } from "node:net";
import { join } from "node:path";
import { connectRaw, parseResponse } from "../support/raw_client.ts";
import { type RawPeer } from "../support/raw_peer.ts";
import { startRouterProcess } from "../support/router_process.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { startTestRouter } from "../support/test_router.ts";

const GET = "GET /health HTTP/1.1\r\nHost: h\r\n\r\n";

Deno.test.each(["unix", "tcp"] as const)(
  "the inner server serves nobody who did not come through the edge (%s)",
  async (transport) => {
    await using dir = await makeTempDir();
    await using router = await startTestRouter({
      transport,
      yaml: `server: { bind_address: "127.0.0.1:0", runtime_dir: "${dir.path}" }`,
    });
    using client = await connectRaw(router.port);
    await client.write(GET);
    assert.match(await client.readHead() ?? "", / 200 /);
    const inner = transport === "unix"
      ? { path: join(dir.path, await onlyEntry(dir.path), "main.sock") }
      : { host: "127.0.0.1", port: await innerPort(router.port) };
    assert.equal(await statusFrom(inner), 403);
    assert.equal(await statusFrom(inner, `x-edge-connection: ${crypto.randomUUID()}\r\n`), 403);
  },
);

async function onlyEntry(path: string): Promise<string> {
  const [entry, ...more] = await Array.fromAsync(Deno.readDir(path));
  assert.ok(entry !== undefined && more.length === 0);
  return entry.name;
}

async function statusFrom(
  inner: { readonly path: string } | { readonly host: string; readonly port: number },
  headers = "",
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = `GET /health HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;
  const socket = connect(inner, () => socket.write(request));
  socket.once("data", (data) => resolve(data.toString("latin1")));
  socket.once("error", reject);
  const text = await promise;
  socket.destroy();
  return parseResponse(text).status;
}

/** The inner server's port: of those that this process listens on, the one that the edge is connected to. */
async function innerPort(outerPort: number): Promise<number> {
  const rows = (await Deno.readTextFile("/proc/net/tcp")).split("\n").slice(1)
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields.length > 9)
    .map(([, local, remote, state, , , , , , inode]) => ({
      local: Number.parseInt(local!.slice(9), 16),
      remote: Number.parseInt(remote!.slice(9), 16),
      isLoopback: local!.startsWith("0100007F"),
      state,
      inode: inode!,
    }));
  const own = await ownSockets();
  const listening = rows.filter(({ state, isLoopback, inode }) =>
    state === "0A" && isLoopback && own.has(inode)
  ).map(({ local }) => local).filter((port) => port !== outerPort);
  const found = listening.find((port) =>
    rows.some(({ remote, state }) => remote === port && state === "01")
  );
  if (found === undefined) throw new Error("no inner server found");
  return found;
}

async function ownSockets(): Promise<ReadonlySet<string>> {
  const inodes = new Set<string>();
  for await (const { name } of Deno.readDir("/proc/self/fd")) {
    const link = await Deno.readLink(`/proc/self/fd/${name}`).catch(() => "");
    const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  return inodes;
}

Deno.test("a router that runs out of descriptors lives on, and serves when there are some again", async () => {
  await using dir = await makeTempDir();
  await using router = await startRouterProcess(dir, {
    yaml: `server: { bind_address: "127.0.0.1:0", runtime_dir: "${
      dir.at("run")
    }" }\nbackends: []\n`,
    maxDescriptors: 100,
  });
  const peers: RawPeer[] = [];
  // Requests need three descriptors each, silent connections one: the inner server runs out as well.
  for (let i = 0; i < 120; i++) {
    const peer = await connectRaw(router.port);
    peers.push(peer);
    if (i % 3 === 0) await peer.write(GET).catch(() => {});
  }
  await router.program.record("cannot accept");
  for (const peer of peers) peer[Symbol.dispose]();
  for (let served = false; !served;) {
    using peer = await connectRaw(router.port);
    await peer.write(GET);
    served = (await peer.readHead())?.includes(" 200 ") ?? false;
  }
  assert.equal((await router.program.end("SIGTERM")).code, 0);
});
