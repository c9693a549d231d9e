/** What the demo backend does wrong when asked to, as clients with a strict implementation see it. */

import assert from "node:assert/strict";
// @ts-types="@types/ws"
import { WebSocket } from "ws";
import { startDemoBackend, type UpgradeFault } from "../../demo/mod.ts";
import { RawClient } from "./raw_client.ts";

const QUERY = "?model=demo-voice";

Deno.test.each<{ fault: UpgradeFault; error: RegExp; status: number }>([
  { fault: { kind: "answer", status: 401 }, error: /response: 401/, status: 401 },
  { fault: { kind: "answer", status: 403 }, error: /response: 403/, status: 403 },
  { fault: { kind: "answer", status: 429 }, error: /response: 429/, status: 429 },
  { fault: { kind: "answer", status: 503 }, error: /response: 503/, status: 503 },
  { fault: { kind: "wrong-accept" }, error: /Invalid Sec-WebSocket-Accept/, status: 101 },
  { fault: { kind: "extension" }, error: /Sec-WebSocket-Extensions/, status: 101 },
  { fault: { kind: "subprotocol" }, error: /subprotocol but none was requested/, status: 101 },
])("upgradeFault: $fault", async ({ fault, error, status }) => {
  await using backend = await startDemoBackend({ upgradeFault: fault });
  await assert.rejects(open(backend.url + QUERY), error);
  assert.equal(backend.upgrades[0]?.status, status);
});

Deno.test("upgradeFault: hang gives no answer", async () => {
  await using backend = await startDemoBackend({ upgradeFault: { kind: "hang" } });
  await assert.rejects(open(backend.url + QUERY, { handshakeTimeout: 100 }), /timed out/);
  assert.deepEqual(backend.upgrades.map(({ status, closed }) => [status, closed]), [[0, null]]);
});

Deno.test("upgradeFault: slow answers late", async () => {
  await using backend = await startDemoBackend({ upgradeFault: { kind: "slow", delayMs: 60 } });
  const startMs = performance.now();
  await using client = await RawClient.open(backend.url + QUERY);
  assert.ok(performance.now() - startMs >= 55);
  assert.equal((await client.next()).type, "session.created");
});

Deno.test("upgradeFault: slow forgets a client that has left", async () => {
  const delayMs = 3_600_000;
  await using backend = await startDemoBackend({ upgradeFault: { kind: "slow", delayMs } });
  await assert.rejects(open(backend.url + QUERY, { handshakeTimeout: 50 }), /timed out/);
  assert.equal(backend.upgrades.length, 0);
});

Deno.test("masksFrames: breaks the protocol with the first event", async () => {
  await using backend = await startDemoBackend({ masksFrames: true });
  await assert.rejects(firstMessage(backend.url + QUERY), /MASK must be clear/);
  assert.equal((await backend.upgrades[0]?.closed)?.code, 1002);
});

Deno.test("floodsWithPings: pings between events, until the end", async () => {
  await using backend = await startDemoBackend({ floodsWithPings: true, speed: 50 });
  const socket = new WebSocket(backend.url + QUERY);
  await new Promise<void>((resolve) => {
    let pings = 0;
    socket.on("ping", () => ++pings === 100 && resolve());
  });
  socket.close(1000);
  assert.equal((await backend.upgrades[0]?.closed)?.code, 1000);
});

Deno.test("keepalive: a client that answers stays", async () => {
  const pongs = Promise.withResolvers<void>();
  let count = 0;
  const onPong = () => ++count === 3 && pongs.resolve();
  const keepalive = { intervalMs: 10, timeoutMs: 5_000, onPong };
  await using backend = await startDemoBackend({ keepalive });
  await using client = await RawClient.open(backend.url + QUERY);
  await pongs.promise;
  assert.deepEqual(await client.close(), { code: 1000, reason: "" });
});

Deno.test("keepalive: a client that does not answer is dropped", async () => {
  const keepalive = { intervalMs: 10, timeoutMs: 30 };
  await using backend = await startDemoBackend({ keepalive });
  const socket = new WebSocket(backend.url + QUERY, { autoPong: false });
  const code = await new Promise((resolve) => socket.once("close", resolve));
  assert.equal(code, 1006);
  assert.equal((await backend.upgrades[0]?.closed)?.code, 1006);
});

Deno.test("freeze: nothing comes any more, a close frame is not answered", async () => {
  await using backend = await startDemoBackend({ speed: 50 });
  const client = await RawClient.open(backend.url + QUERY);
  client.send({ type: "response.create", response: { metadata: { freeze: "1" } } });
  await client.skipTo("response.output_audio.delta");
  const closed = client.close(1000);
  assert.equal(backend.sessionCount, 1);
  await backend.close();
  assert.equal((await closed).code, 1006);
});

/** Opens a connection and ends it. @throws {Error} When it is refused. */
async function open(url: string, options: { readonly handshakeTimeout?: number } = {}) {
  const socket = new WebSocket(url, { ...options, perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  socket.terminate();
}

/** @throws {Error} What the client has against the first message. */
function firstMessage(url: string): Promise<unknown> {
  const socket = new WebSocket(url);
  return new Promise((resolve, reject) => {
    socket.once("message", resolve);
    socket.once("error", reject);
  });
}
