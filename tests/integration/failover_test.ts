/** Circuits over realtime: backends that die and come back, and what half-open lets through (spec §5). */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { LiveBackend } from "../support/live_backend.ts";
import { connectRaw, openRaw, upgradeRequest } from "../support/raw_client.ts";
import { type RawPeer, textOf } from "../support/raw_peer.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";
import { refusal, tallyVisits, visit } from "../support/visit.ts";

const CLOSED = 0;
const OPEN = 1;
const HALF_OPEN = 2;

function circuit(router: TestRouter, backend: string): Promise<number> {
  return router.metric("circuit_breaker_state", { backend });
}

function breaker(options: string): string {
  return `circuit_breaker: { timeout_seconds: 60, ${options} }`;
}

Deno.test("failover: two backends, one dies and comes back", async () => {
  const clock = new FakeClock();
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  await using router = await startTestRouter({
    backends: [a.url, b.url],
    yaml: breaker("failure_threshold: 5, half_open_success_threshold: 2"),
    clock,
  });
  assert.deepEqual(await tallyVisits(router, 10), { a: 5, b: 5 });
  await a.stop();
  assert.deepEqual(await tallyVisits(router, 30), { "1011": 5, b: 25 });
  assert.equal(await circuit(router, "b0"), OPEN);
  assert.equal(await circuit(router, "b1"), CLOSED);
  const failures = { backend: "b0", outcome: "backend_connect_failed" };
  assert.equal(await router.metric("realtime_sessions_total", failures), 5);

  await a.restart();
  clock.advance(59_999);
  assert.deepEqual(await tallyVisits(router, 4), { b: 4 });
  clock.advance(1);
  assert.equal(await circuit(router, "b0"), HALF_OPEN);
  const tally = await tallyVisits(router, 20);
  assert.deepEqual(Object.keys(tally).toSorted(), ["a", "b"]);
  assert.ok((tally["a"] ?? 0) >= 10);
  assert.equal(await circuit(router, "b0"), CLOSED);
});

Deno.test("failover: three backends die one after the other and come back in another order", async () => {
  const clock = new FakeClock();
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  await using c = await LiveBackend.start("c");
  await using router = await startTestRouter({
    backends: [a.url, b.url, c.url],
    yaml: breaker("failure_threshold: 2, half_open_success_threshold: 2"),
    clock,
  });
  const circuits = () => Promise.all(["b0", "b1", "b2"].map((name) => circuit(router, name)));
  assert.deepEqual(await tallyVisits(router, 9), { a: 3, b: 3, c: 3 });

  await a.stop();
  const withoutA = await tallyVisits(router, 12);
  assert.deepEqual([withoutA["1011"], withoutA["a"]], [2, undefined]);
  assert.deepEqual(await tallyVisits(router, 6), { b: 3, c: 3 });

  await b.stop();
  assert.deepEqual(await tallyVisits(router, 10), { "1011": 2, c: 8 });
  assert.deepEqual(await circuits(), [OPEN, OPEN, CLOSED]);

  await c.stop();
  assert.deepEqual(await tallyVisits(router, 2), { "1011": 2 });
  const { status, code, headers } = await refusal(router);
  assert.deepEqual([status, code], [503, "no_available_backend"]);
  assert.equal(headers.get("retry-after"), "60");

  await b.restart();
  clock.advance(60_000);
  // Half-open, each is tried once; b alone answers.
  assert.deepEqual(await tallyVisits(router, 10), { "1011": 2, b: 8 });
  assert.deepEqual(await circuits(), [OPEN, CLOSED, OPEN]);

  await a.restart();
  await c.restart();
  clock.advance(60_000);
  const all = await tallyVisits(router, 12);
  assert.deepEqual(Object.keys(all).toSorted(), ["a", "b", "c"]);
  assert.deepEqual(await circuits(), [CLOSED, CLOSED, CLOSED]);
});

Deno.test("failover: a chosen backend stays, even when its connection fails and another is well", async () => {
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  await using router = await startTestRouter({ backends: [a.url, b.url] });
  await a.stop();
  assert.equal(await visit(router, { headers: { "x-backend": "b0" } }), 1011);
  assert.equal(b.connectionCount, 0);
});

Deno.test("failover: x-backend pins while it can be, and is ignored else", async (t) => {
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  await using router = await startTestRouter({
    backends: [a.url, b.url],
    yaml: breaker("failure_threshold: 1"),
  });
  const pinned = (name: string) => visit(router, { headers: { "x-backend": name } });
  for (let index = 0; index < 3; index++) assert.equal(await pinned("b1"), "b");
  await a.stop();
  assert.equal(await pinned("b0"), 1011);
  for (const name of ["b0", "nowhere", "B1", "", "b1, b0", "http://127.0.0.1:1"]) {
    await t.step(JSON.stringify(name), async () => {
      assert.equal(await pinned(name), "b");
    });
  }
});

/** A router before a backend whose circuit is half-open, and which has come back. */
interface HalfOpen extends AsyncDisposable {
  readonly router: TestRouter;
  readonly backend: FakeBackend;
}

async function startHalfOpen(options: {
  readonly slots: number;
  readonly successes: number;
}): Promise<HalfOpen> {
  const stack = new AsyncDisposableStack();
  const clock = new FakeClock();
  const dead = await FakeBackend.listen();
  const { port } = dead;
  const router = stack.use(
    await startTestRouter({
      backends: [dead.url],
      realtime: 'idle_timeout: "0", max_session_duration: "1h"',
      yaml: breaker(
        `failure_threshold: 1, half_open_max_requests: ${options.slots}, ` +
          `half_open_success_threshold: ${options.successes}`,
      ),
      clock,
    }),
  );
  await dead[Symbol.asyncDispose]();
  assert.equal(await visit(router), 1011);
  assert.equal((await refusal(router)).status, 503);
  const backend = stack.use(await FakeBackend.listen({ port }));
  clock.advance(60_000);
  return { router, backend, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Waits until the backend's words have reached the client: the session is established. */
async function assertOpen(backend: RawPeer, client: RawPeer): Promise<void> {
  await backend.sendText("hello");
  assert.equal(textOf(await client.readMessage()), "hello");
}

async function assertNoSlot(router: TestRouter): Promise<void> {
  const { status, code, headers } = await refusal(router);
  assert.deepEqual([status, code], [503, "no_available_backend"]);
  assert.equal(headers.get("retry-after"), "1");
}

Deno.test("half-open: of many upgrades at once, exactly half_open_max_requests get through", async () => {
  await using halfOpen = await startHalfOpen({ slots: 3, successes: 3 });
  const { router, backend } = halfOpen;
  using clients = new DisposableStack();
  const answers = await Promise.all(Array.from({ length: 20 }, async () => {
    const client = clients.use(await connectRaw(router.port));
    await client.write(upgradeRequest({ port: router.port }));
    return (await client.readHead())?.split(" ")[1];
  }));
  assert.equal(answers.filter((status) => status === "101").length, 3);
  assert.equal(answers.filter((status) => status === "503").length, 17);
  for (let index = 0; index < 3; index++) await backend.nextConnection();
  assert.equal(backend.connectionCount, 3);
  assert.equal(router.router.permitsHeld(), 3);
});

Deno.test("half-open: a session holds its slot until it is established, and not longer", async () => {
  await using halfOpen = await startHalfOpen({ slots: 1, successes: 3 });
  const { router, backend } = halfOpen;
  using clients = new DisposableStack();
  for (let session = 1; session <= 3; session++) {
    const client = clients.use(await openRaw({ port: router.port }));
    const connection = await backend.nextConnection();
    assert.equal(await circuit(router, "b0"), HALF_OPEN);
    await assertNoSlot(router);
    await connection.accept();
    await assertOpen(connection.peer, client);
    assert.equal(router.router.sessions.size, session);
  }
  assert.equal(await circuit(router, "b0"), CLOSED);
});

const LEAVINGS: readonly (readonly [string, (client: RawPeer) => Promise<void> | void])[] = [
  ["by a FIN", (client) => client[Symbol.dispose]()],
  ["by a RST", (client) => client.reset()],
  ["with a close frame", (client) => client.sendClose(1000)],
  ["by breaking the protocol", (client) => client.send({ opcode: 3, payload: "" })],
];

for (const [name, leave] of LEAVINGS) {
  Deno.test(`half-open: a client that leaves while connecting gives its slot back: ${name}`, async () => {
    await using halfOpen = await startHalfOpen({ slots: 2, successes: 2 });
    const { router, backend } = halfOpen;
    using first = await openRaw({ port: router.port, resettable: true });
    const abandoned = await backend.nextConnection();
    await abandoned.readRequest();
    using second = await openRaw({ port: router.port });
    const kept = await backend.nextConnection();
    await assertNoSlot(router);
    await leave(first);
    // The dial is aborted.
    await abandoned.peer.readRest();
    assert.equal(await circuit(router, "b0"), HALF_OPEN, "neither a success nor a failure");
    using third = await openRaw({ port: router.port });
    const next = await backend.nextConnection();
    await assertNoSlot(router);
    await kept.accept();
    await assertOpen(kept.peer, second);
    await next.accept();
    await assertOpen(next.peer, third);
    assert.equal(await circuit(router, "b0"), CLOSED);
  });
}

Deno.test("half-open: one failure opens the circuit again, for another timeout", async () => {
  await using halfOpen = await startHalfOpen({ slots: 2, successes: 2 });
  const { router, backend } = halfOpen;
  using first = await openRaw({ port: router.port });
  const accepted = await backend.nextConnection();
  using second = await openRaw({ port: router.port });
  const refused = await backend.nextConnection();
  await refused.readRequest();
  await refused.peer.write("HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n");
  assert.equal((await second.readClose())?.code, 1011);
  assert.equal(await circuit(router, "b0"), OPEN);
  assert.equal((await refusal(router)).headers.get("retry-after"), "60");
  // A success of before says nothing about now.
  await accepted.accept();
  await assertOpen(accepted.peer, first);
  assert.equal(await circuit(router, "b0"), OPEN);
});
