/** The three timers of a session and the grace, on a clock that the test moves (spec §6). */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { openRaw } from "../support/raw_client.ts";
import { encodeFrame, OPCODE, type RawPeer, textOf } from "../support/raw_peer.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

interface Session {
  readonly clock: FakeClock;
  readonly router: TestRouter;
  readonly fake: FakeBackend;
  readonly client: RawPeer;
  readonly backend: RawPeer;
}

async function withSession(
  realtime: string,
  run: (session: Session) => Promise<void>,
): Promise<void> {
  const clock = new FakeClock();
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url], realtime, clock });
  using client = await openRaw({ port: router.port });
  using backend = await fake.nextSession();
  await pass(backend, client);
  await run({ clock, router, fake, client, backend });
  assert.equal(clock.pending, 0, "timers left behind");
}

/** Passes a message, which is there when this resolves. */
async function pass(from: RawPeer, to: RawPeer): Promise<void> {
  await from.sendText("traffic");
  assert.equal(textOf(await to.readMessage()), "traffic");
}

async function assertIdleEnd({ client, backend, router }: Session): Promise<void> {
  const expected = { code: 1000, reason: "idle timeout" };
  assert.deepEqual(await client.readClose(), expected);
  assert.deepEqual(await backend.readClose(), expected);
  await client.sendClose(1000);
  await backend.sendClose(1000);
  await Promise.all([client.readRest(), backend.readRest()]);
  client[Symbol.dispose]();
  backend[Symbol.dispose]();
  await router.router.sessions.whenEmpty();
}

for (const side of ["client", "backend"] as const) {
  Deno.test(`idle: messages of the ${side} alone keep a session for three times the limit`, async () => {
    await withSession('idle_timeout: "60s"', async (session) => {
      const { clock, client, backend } = session;
      const [from, to] = side === "client" ? [client, backend] : [backend, client];
      for (let i = 0; i < 4; i++) {
        clock.advance(50_000);
        await pass(from, to);
      }
      clock.advance(59_000);
      await pass(from, to);
      clock.advance(60_000);
      await assertIdleEnd(session);
    });
  });

  Deno.test(`idle: fragments of the ${side} count, before their message is complete`, async () => {
    await withSession('idle_timeout: "60s"', async (session) => {
      const { clock, client, backend } = session;
      const [from, to] = side === "client" ? [client, backend] : [backend, client];
      await from.send({ opcode: OPCODE.text, payload: "a", final: false });
      for (let i = 0; i < 3; i++) {
        // The pong shows that what came before it has been seen.
        await ping(from);
        clock.advance(50_000);
        await from.send({ opcode: OPCODE.continuation, payload: "b", final: false });
      }
      await from.send({ opcode: OPCODE.continuation, payload: "c" });
      assert.equal(textOf(await to.readMessage()), "abbbc");
      clock.advance(60_000);
      await assertIdleEnd(session);
    });
  });

  Deno.test(`idle: pings of the ${side} are answered and do not count`, async () => {
    await withSession('idle_timeout: "60s"', async (session) => {
      const { clock, client, backend } = session;
      const from = side === "client" ? client : backend;
      clock.advance(40_000);
      await ping(from);
      clock.advance(20_000);
      await assertIdleEnd(session);
    });
  });
}

Deno.test("idle: off, a quiet session stays for days", async () => {
  await withSession('idle_timeout: "0"', async ({ clock, client, backend, router }) => {
    clock.advance(5 * 86_400_000);
    await pass(client, backend);
    await pass(backend, client);
    await closeBoth({ client, backend, router });
  });
});

Deno.test("max_session_duration ends a busy session, counted from the client's 101", async () => {
  await withSession('max_session_duration: "10m"', async ({ clock, client, backend, router }) => {
    for (let i = 0; i < 19; i++) {
      clock.advance(30_000);
      await pass(client, backend);
    }
    clock.advance(30_000);
    const expected = { code: 1000, reason: "max session duration" };
    assert.deepEqual(await client.readClose(), expected);
    assert.deepEqual(await backend.readClose(), expected);
    await closeBoth({ client, backend, router });
    const labels = { backend: "b0", outcome: "max_duration" };
    assert.equal(await router.metric("realtime_sessions_total", labels), 1);
  });
});

Deno.test("max_session_duration also runs while connecting, and leaves the breaker alone", async () => {
  const clock = new FakeClock();
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({
    backends: [fake.url],
    realtime: 'max_session_duration: "5s", handshake_timeout: "10s"',
    yaml: "circuit_breaker: { failure_threshold: 1 }",
    clock,
  });
  using client = await openRaw({ port: router.port });
  const connection = await fake.nextConnection();
  await connection.readRequest();
  clock.advance(5_000);
  assert.deepEqual(await client.readClose(), { code: 1000, reason: "max session duration" });
  await connection.peer.readRest();
  client[Symbol.dispose]();
  await router.router.sessions.whenEmpty();
  const labels = { backend: "b0", outcome: "max_duration" };
  assert.equal(await router.metric("realtime_sessions_total", labels), 1);
  using again = await openRaw({ port: router.port });
  assert.ok(again, "one failure would have opened the circuit");
});

Deno.test("handshake_timeout: 1011, and the breaker has a failure", async () => {
  const clock = new FakeClock();
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({
    backends: [fake.url],
    realtime: 'handshake_timeout: "10s"',
    yaml: "circuit_breaker: { failure_threshold: 1 }",
    clock,
  });
  using client = await openRaw({ port: router.port });
  const connection = await fake.nextConnection();
  await connection.readRequest();
  clock.advance(10_000);
  assert.deepEqual(await client.readClose(), { code: 1011, reason: "backend connection failed" });
  await connection.peer.readRest();
  client[Symbol.dispose]();
  await router.router.sessions.whenEmpty();
  await assert.rejects(openRaw({ port: router.port }), /503/);
});

Deno.test("grace: a peer that does not answer a close frame is cut after 5 s, not before", async () => {
  await withSession('idle_timeout: "60s", max_sessions: 1', async (session) => {
    const { clock, client, backend, router } = session;
    clock.advance(60_000);
    assert.equal((await client.readClose())?.code, 1000);
    assert.equal((await backend.readClose())?.code, 1000);
    await backend.sendClose(1000);
    await backend.readRest();
    backend[Symbol.dispose]();
    clock.advance(4_999);
    await assert.rejects(openRaw({ port: router.port }), /503/);
    clock.advance(1);
    await client.readRest();
    await router.router.sessions.whenEmpty();
    assert.equal(router.router.permitsHeld(), 0);
    assert.equal(await router.metric("realtime_active_sessions"), 0);
  });
});

Deno.test("a client whose window is full does not delay the backend's close frame", async () => {
  await withSession('idle_timeout: "60s", max_sessions: 1', async (session) => {
    const { clock, client, backend, router, fake } = session;
    await fill(backend);
    clock.advance(60_000);
    const startedMs = performance.now();
    assert.deepEqual(await backend.readClose(), { code: 1000, reason: "idle timeout" });
    assert.ok(performance.now() - startedMs < 1_000);
    await backend.sendClose(1000);
    clock.advance(5_000);
    await router.router.sessions.whenEmpty();
    assert.equal(router.router.permitsHeld(), 0);
    backend[Symbol.dispose]();
    client[Symbol.dispose]();
    using again = await openRaw({ port: router.port });
    using backendAgain = await fake.nextSession();
    await pass(backendAgain, again);
    await closeBoth({ client: again, backend: backendAgain, router });
  });
});

/** Sends a ping and reads its pong. */
async function ping(peer: RawPeer): Promise<void> {
  await peer.send({ opcode: OPCODE.ping, payload: "p" });
  assert.equal((await peer.readFrame())?.opcode, OPCODE.pong);
}

/** Sends until the other side takes no more. */
async function fill(from: RawPeer): Promise<void> {
  const frame = encodeFrame({ opcode: OPCODE.binary, payload: new Uint8Array(64 * 1024) }, {
    masked: false,
  });
  const progress = { bytes: 0 };
  void (async () => {
    for (;;) {
      await from.write(frame);
      progress.bytes += frame.length;
    }
  })().catch(() => {});
  for (let before = -1; before !== progress.bytes;) {
    before = progress.bytes;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

async function closeBoth(
  { client, backend, router }: Pick<Session, "client" | "backend" | "router">,
): Promise<void> {
  await client.sendClose(1000).catch(() => {});
  await backend.sendClose(1000).catch(() => {});
  await Promise.all([client.readRest(), backend.readRest()]);
  client[Symbol.dispose]();
  backend[Symbol.dispose]();
  await router.router.sessions.whenEmpty();
}
