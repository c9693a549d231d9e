/** The relay: bytes, order and early data, both ways. */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { connectRaw, openRaw, upgradeRequest } from "../support/raw_client.ts";
import { encodeFrame, OPCODE, type RawPeer, textOf } from "../support/raw_peer.ts";
import { startTestRouter } from "../support/test_router.ts";

/** A session between a raw client and a raw backend. */
interface Session extends AsyncDisposable {
  readonly client: RawPeer;
  readonly backend: RawPeer;
}

async function openSession(transport: "unix" | "tcp" = "unix"): Promise<Session> {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeBackend.listen());
  const { port } = stack.use(await startTestRouter({ backends: [fake.url], transport }));
  const client = stack.use(await openRaw({ port }));
  const backend = await fake.nextSession();
  return { client, backend, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 0xff);
const ascii = (length: number) => "abcdefghij".repeat(Math.ceil(length / 10)).slice(0, length);

const MESSAGES = [
  { name: "short text", opcode: OPCODE.text, payload: "hello" },
  { name: "empty text", opcode: OPCODE.text, payload: "" },
  { name: "empty binary", opcode: OPCODE.binary, payload: new Uint8Array(0) },
  { name: "every byte", opcode: OPCODE.binary, payload: bytes(256) },
  {
    name: "text of many languages",
    opcode: OPCODE.text,
    payload: "안녕 \u{1F3A4} é \u0000 \ufeff ￿",
  },
  { name: "text that starts with a byte order mark", opcode: OPCODE.text, payload: "\ufeffx" },
  { name: "text of 125 bytes", opcode: OPCODE.text, payload: ascii(125) },
  { name: "text of 126 bytes", opcode: OPCODE.text, payload: ascii(126) },
  { name: "text of 65,536 bytes", opcode: OPCODE.text, payload: ascii(65_536) },
  { name: "binary of 300,000 bytes", opcode: OPCODE.binary, payload: bytes(300_000) },
];

for (const transport of ["unix", "tcp"] as const) {
  Deno.test(`relay over ${transport}: messages are identical both ways`, async (t) => {
    await using session = await openSession(transport);
    const { client, backend } = session;
    for (const { name, opcode, payload } of MESSAGES) {
      const expected = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
      for (const [from, to] of [[client, backend], [backend, client]] as const) {
        await t.step(`${name}, ${from === client ? "to backend" : "to client"}`, async () => {
          await from.send({ opcode, payload });
          const frame = await to.readMessage();
          assert.equal(frame?.opcode, opcode);
          assert.deepEqual(frame.payload, expected);
          assert.equal(frame.masked, from === client);
        });
      }
    }
  });
}

Deno.test("relay: fragments with a ping between them arrive as one message", async () => {
  await using session = await openSession();
  const { client, backend } = session;
  await client.send({ opcode: OPCODE.text, payload: "one ", final: false });
  await client.send({ opcode: OPCODE.ping, payload: "p" });
  await client.send({ opcode: OPCODE.continuation, payload: "two" });
  assert.equal(textOf(await backend.readMessage()), "one two");
  const pong = await client.readFrame();
  assert.equal(pong?.opcode, OPCODE.pong);
  assert.equal(textOf(pong), "p");
});

Deno.test("relay: pings of the backend are answered by the router", async () => {
  await using session = await openSession();
  await session.backend.send({ opcode: OPCODE.ping, payload: "x" });
  const pong = await session.backend.readFrame();
  assert.equal(pong?.opcode, OPCODE.pong);
  assert.equal(textOf(pong), "x");
});

Deno.test("relay: 10,000 messages of mixed kind and size keep their order", async () => {
  await using session = await openSession();
  const { client, backend } = session;
  const count = 10_000;
  const sizes = [20, 300_000, 2_500, 0];
  const writing = (async () => {
    for (let i = 0; i < count; i++) {
      const payload = `${i}:${ascii(i % 100 === 1 ? sizes[1]! : sizes[i % 4 === 1 ? 2 : 0]!)}`;
      await backend.send({ opcode: i % 3 === 0 ? OPCODE.binary : OPCODE.text, payload });
    }
  })();
  for (let i = 0; i < count; i++) {
    const frame = await client.readMessage();
    assert.equal(frame?.opcode, i % 3 === 0 ? OPCODE.binary : OPCODE.text);
    assert.ok(textOf(frame)?.startsWith(`${i}:`));
  }
  await writing;
});

Deno.test("relay: a message in the packet of the backend's 101 is never lost", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  for (let run = 0; run < 200; run++) {
    const opening = openRaw({ port: router.port });
    const connection = await fake.nextConnection();
    const acceptance = new TextEncoder().encode(await connection.acceptance());
    const frame = encodeFrame({ opcode: OPCODE.text, payload: `created ${run}` }, {
      masked: false,
    });
    await connection.peer.write(new Uint8Array([...acceptance, ...frame]));
    using client = await opening;
    assert.equal(textOf(await client.readMessage()), `created ${run}`);
  }
});

Deno.test("relay: 101, message and close frame in one packet all arrive", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  const opening = openRaw({ port: router.port });
  const connection = await fake.nextConnection();
  const acceptance = new TextEncoder().encode(await connection.acceptance());
  const text = encodeFrame({ opcode: OPCODE.text, payload: "only" }, { masked: false });
  const close = encodeFrame({ opcode: OPCODE.close, payload: new Uint8Array([3, 240]) }, {
    masked: false,
  });
  await connection.peer.write(new Uint8Array([...acceptance, ...text, ...close]));
  using client = await opening;
  assert.equal(textOf(await client.readMessage()), "only");
  assert.deepEqual(await client.readClose(), { code: 1008, reason: "" });
});

Deno.test("relay: a client's frame in the packet of its request reaches the backend", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  using client = await connectRaw(router.port);
  const request = new TextEncoder().encode(upgradeRequest({ port: router.port }));
  const frame = encodeFrame({ opcode: OPCODE.text, payload: "early" }, { masked: true });
  await client.write(new Uint8Array([...request, ...frame]));
  assert.match(await client.readHead() ?? "", /^HTTP\/1\.1 101 /);
  const backend = await fake.nextSession();
  assert.equal(textOf(await backend.readMessage()), "early");
});

Deno.test("relay: what a client sends before its backend is there arrives in order", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  using client = await openRaw({ port: router.port });
  const connection = await fake.nextConnection();
  for (let i = 0; i < 50; i++) await client.sendText(`message ${i}`);
  await connection.readRequest();
  await connection.accept();
  for (let i = 0; i < 50; i++) {
    assert.equal(textOf(await connection.peer.readMessage()), `message ${i}`);
  }
});

Deno.test("relay: the greatest message may be sent before the backend is there", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url] });
  using client = await openRaw({ port: router.port });
  const connection = await fake.nextConnection();
  const payload = bytes(4 * 1024 * 1024);
  const sending = client.send({ opcode: OPCODE.binary, payload });
  await connection.accept();
  assert.deepEqual((await connection.peer.readMessage())?.payload, payload);
  await sending;
});

Deno.test("relay: a client that offers something else too, on the same line or before, gets its session", async () => {
  for (
    const offers of ["h2c, websocket", "h2c\r\nUpgrade: websocket", "websocket\r\nUpgrade: h2c"]
  ) {
    await using fake = await FakeBackend.listen();
    await using router = await startTestRouter({ backends: [fake.url] });
    using client = await openRaw({ port: router.port, headers: { upgrade: offers } });
    using backend = await fake.nextSession();
    await client.sendText("hello");
    assert.equal(textOf(await backend.readMessage()), "hello");
  }
});
