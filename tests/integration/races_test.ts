/** Clients and backends that go at bad moments (field reports A and B). */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { connectRaw, openRaw, upgradeRequest } from "../support/raw_client.ts";
import { OPCODE, type RawPeer, textOf } from "../support/raw_peer.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

interface Setting {
  readonly fake: FakeBackend;
  readonly router: TestRouter;
}

async function withRouter(
  run: (setting: Setting) => Promise<void>,
  realtime = "",
): Promise<void> {
  await using fake = await FakeBackend.listen({ resettable: true });
  await using router = await startTestRouter({
    backends: [fake.url],
    realtime,
    yaml: "circuit_breaker: { enabled: false }",
  });
  await run({ fake, router });
  await router.router.sessions.whenEmpty();
  assert.equal(router.router.permitsHeld(), 0);
  assert.equal(router.router.openTickets(), 0);
  assert.equal(await router.metric("realtime_active_sessions"), 0);
}

/** A session that works from end to end. */
async function assertServes({ fake, router }: Setting): Promise<void> {
  using client = await openRaw({ port: router.port });
  using backend = await fake.nextSession();
  await client.sendText("still");
  assert.equal(textOf(await backend.readMessage()), "still");
  await backend.sendText("there");
  assert.equal(textOf(await client.readMessage()), "there");
}

Deno.test("200 clients that reset while their backend stalls: everything is given back", async () => {
  await withRouter(async (setting) => {
    const { fake, router } = setting;
    const clients = await Promise.all(
      Array.from({ length: 200 }, () => openRaw({ port: router.port, resettable: true })),
    );
    const connections = await Promise.all(clients.map(() => fake.nextConnection()));
    await Promise.all(connections.map((connection) => connection.readRequest()));
    for (const client of clients) client.reset();
    // The dials are given up, which their backend sees.
    await Promise.all(connections.map(({ peer }) => peer.readRest()));
    await router.router.sessions.whenEmpty();
    await assertServes(setting);
    const labels = { backend: "b0", outcome: "client_abort" };
    assert.ok(await router.metric("realtime_sessions_total", labels) >= 200);
    await Promise.all(clients.map((client) => client.conn.closed));
  });
});

Deno.test("100 clients that reset within their request: nobody notices", async () => {
  await withRouter(async (setting) => {
    const request = upgradeRequest({ port: setting.router.port });
    await Promise.all(Array.from({ length: 100 }, async (_, i) => {
      const client = await connectRaw(setting.router.port, { resettable: true });
      await client.write(request.slice(0, Math.floor((request.length * i) / 100)));
      client.reset();
      await client.conn.closed;
    }));
    await assertServes(setting);
  });
});

Deno.test("100 clients that reset with their whole request just sent", async () => {
  await withRouter(async (setting) => {
    const request = upgradeRequest({ port: setting.router.port });
    await Promise.all(Array.from({ length: 100 }, async () => {
      const client = await connectRaw(setting.router.port, { resettable: true });
      await client.write(request);
      client.reset();
      await client.conn.closed;
    }));
    await setting.router.router.sessions.whenEmpty();
  });
});

Deno.test("a backend that refuses 100 times with 429 does no harm", async () => {
  await withRouter(async (setting) => {
    for (let i = 0; i < 100; i++) {
      using client = await openRaw({ port: setting.router.port });
      const connection = await setting.fake.nextConnection();
      await connection.readRequest();
      const { peer } = connection;
      await peer.write("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 4\r\n\r\nslow");
      assert.equal((await client.readClose())?.code, 1011);
      peer[Symbol.dispose]();
    }
    await assertServes(setting);
  });
});

Deno.test("a TLS backend that never finishes its hello: handshake_timeout holds", async () => {
  await using fake = await FakeBackend.listen({ resettable: true });
  await using router = await startTestRouter({
    backends: [fake.url.replace("ws:", "wss:")],
    realtime: 'handshake_timeout: "200ms"',
  });
  const startedMs = performance.now();
  using client = await openRaw({ port: router.port });
  assert.equal((await client.readClose())?.code, 1011);
  assert.ok(performance.now() - startedMs < 700);
  const { peer } = await fake.nextConnection();
  await peer.readRest();
  await client.sendClose(1011);
  client[Symbol.dispose]();
  await router.router.sessions.whenEmpty();
  assert.equal(fake.connectionCount, 1);
});

Deno.test("1,000 sessions that come and go: the gauge is exactly 0", async () => {
  await withRouter(async ({ fake, router }) => {
    for (let batch = 0; batch < 20; batch++) {
      await Promise.all(Array.from({ length: 50 }, async () => {
        using client = await openRaw({ port: router.port });
        using backend = await fake.nextSession();
        await backend.sendClose(1000);
        await client.readClose();
      }));
    }
    await router.router.sessions.whenEmpty();
    const total = await router.metric("realtime_sessions_total", { outcome: "completed" }) +
      await router.metric("realtime_sessions_total", { outcome: "client_abort" }) +
      await router.metric("realtime_sessions_total", { outcome: "backend_abort" });
    assert.equal(total, 1_000);
  });
});

Deno.test("20 sessions that send too much end alone", async () => {
  await withRouter(async ({ fake, router }) => {
    using healthy = await openRaw({ port: router.port });
    using healthyBackend = await fake.nextSession();
    const pairs: [RawPeer, RawPeer][] = [];
    for (let i = 0; i < 20; i++) {
      const client = await openRaw({ port: router.port });
      const backend = await fake.nextSession();
      await backend.sendText("ready");
      assert.equal(textOf(await client.readMessage()), "ready");
      pairs.push(i % 2 === 0 ? [client, backend] : [backend, client]);
    }
    await Promise.all(pairs.map(async ([from, to]) => {
      await from.send({ opcode: OPCODE.binary, claimedLength: 5_000_000n });
      assert.equal((await from.readClose())?.code, 1009);
      assert.equal((await to.readClose())?.code, 1011);
      from[Symbol.dispose]();
      to[Symbol.dispose]();
    }));
    await healthy.sendText("unharmed");
    assert.equal(textOf(await healthyBackend.readMessage()), "unharmed");
  });
});
