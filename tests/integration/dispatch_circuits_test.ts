/** Circuits that sessions and plain requests share: what one of them sees, the other one heeds (spec §5). */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { HttpExchange } from "../support/http_exchange.ts";
import { LiveBackend } from "../support/live_backend.ts";
import { openRaw } from "../support/raw_client.ts";
import { textOf } from "../support/raw_peer.ts";
import { MODEL, startTestRouter, type TestRouter } from "../support/test_router.ts";
import { refusal, tallyVisits, visit } from "../support/visit.ts";

const SHARED = "circuit_breaker: { failure_threshold: 2, half_open_success_threshold: 2, " +
  "half_open_max_requests: 1, timeout_seconds: 60 }";

/** Asks over HTTP. Resolves to the backend that answered, or else to the status. */
async function ask(
  router: TestRouter,
  headers: Readonly<Record<string, string>> = {},
): Promise<string | number> {
  const response = await fetch(`${router.origin}/v1/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: MODEL }),
  });
  await response.bytes();
  return response.ok ? response.headers.get("x-served-backend") ?? "" : response.status;
}

async function tallyAsks(router: TestRouter, count: number) {
  const tally: Record<string, number> = {};
  for (let index = 0; index < count; index++) {
    const result = String(await ask(router));
    tally[result] = (tally[result] ?? 0) + 1;
  }
  return tally;
}

Deno.test("shared circuits: what fails over HTTP is avoided by sessions", async () => {
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  await using router = await startTestRouter({ backends: [a.url, b.url], yaml: SHARED });
  a.probeStatus = 503;
  // Each request falls back to the other one; its two failures open the circuit.
  assert.deepEqual(await tallyAsks(router, 6), { b1: 6 });
  assert.equal(a.probes.length, 2);
  assert.deepEqual(await tallyVisits(router, 4), { b: 4 });
  assert.equal(await visit(router, { headers: { "x-backend": "b0" } }), "b");
  assert.equal(a.upgrades.length, 0);
});

Deno.test("shared circuits: what fails sessions is avoided over HTTP", async () => {
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  await using router = await startTestRouter({ backends: [a.url, b.url], yaml: SHARED });
  await a.stop();
  const tally = await tallyVisits(router, 4);
  assert.deepEqual(tally, { "1011": 2, b: 2 });
  await a.restart();
  assert.equal(await ask(router, { "x-backend": "b0" }), "b1");
  assert.deepEqual(await tallyAsks(router, 4), { b1: 4 });
  assert.equal(a.connectionCount, 0);
});

Deno.test("shared circuits: three backends die and come back, over both protocols", async () => {
  const clock = new FakeClock();
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  await using c = await LiveBackend.start("c");
  const backends = [a.url, b.url, c.url];
  await using router = await startTestRouter({ backends, yaml: SHARED, clock });
  const circuits = () =>
    Promise.all(
      ["b0", "b1", "b2"].map((backend) => router.metric("circuit_breaker_state", { backend })),
    );
  assert.deepEqual(await tallyAsks(router, 3), { b0: 1, b1: 1, b2: 1 });
  assert.deepEqual(await tallyVisits(router, 3), { a: 1, b: 1, c: 1 });

  // One failure over each protocol opens a circuit too.
  await a.stop();
  assert.equal(await visit(router, { headers: { "x-backend": "b0" } }), 1011);
  assert.notEqual(await ask(router, { "x-backend": "b0" }), "b0");
  await b.stop();
  assert.equal(await ask(router, { "x-backend": "b1" }), "b2");
  assert.equal(await visit(router, { headers: { "x-backend": "b1" } }), 1011);
  assert.deepEqual(await circuits(), [1, 1, 0]);
  assert.deepEqual(await tallyAsks(router, 3), { b2: 3 });
  assert.deepEqual(await tallyVisits(router, 3), { c: 3 });

  await c.stop();
  assert.deepEqual(await tallyAsks(router, 2), { "502": 2 });
  assert.equal(await ask(router), 503);
  assert.equal((await refusal(router)).code, "no_available_backend");

  // One success over each protocol closes it.
  for (const backend of [a, b, c]) await backend.restart();
  clock.advance(60_000);
  assert.deepEqual(await circuits(), [2, 2, 2]);
  for (const [index, name] of ["a", "b", "c"].entries()) {
    const headers = { "x-backend": `b${index}` };
    assert.equal(await ask(router, headers), `b${index}`);
    assert.equal(await visit(router, { headers }), name);
  }
  assert.deepEqual(await circuits(), [0, 0, 0]);
  assert.deepEqual(Object.keys(await tallyAsks(router, 6)).toSorted(), ["b0", "b1", "b2"]);
});

Deno.test("shared circuits: half-open admits so many at a time, requests and sessions together", async () => {
  const clock = new FakeClock();
  const dead = await FakeBackend.listen();
  const { port } = dead;
  const breaker = "failure_threshold: 1, half_open_max_requests: 2, half_open_success_threshold: 3";
  await using router = await startTestRouter({
    backends: [dead.url],
    yaml: `circuit_breaker: { ${breaker}, timeout_seconds: 60 }`,
    clock,
  });
  await dead[Symbol.asyncDispose]();
  assert.equal(await ask(router), 502);
  assert.equal(await ask(router), 503);
  await using backend = await FakeBackend.listen({ port });
  clock.advance(60_000);

  const assertFull = async () => {
    assert.equal((await refusal(router)).code, "no_available_backend");
    assert.equal(await ask(router), 503);
  };
  const leaving = new AbortController();
  const left = fetch(`${router.origin}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: MODEL }),
    signal: leaving.signal,
  }).catch(({ name }) => name);
  const abandoned = await HttpExchange.next(backend);
  using session = await openRaw({ port: router.port });
  const connection = await backend.nextConnection();
  await connection.readRequest();
  await assertFull();

  // A client that leaves gives its slot back, and has shown nothing.
  leaving.abort();
  await abandoned.abandoned();
  assert.equal(await left, "AbortError");
  const asked = ask(router);
  const exchange = await HttpExchange.next(backend);
  await assertFull();

  await exchange.respond(200, "{}");
  assert.equal(await asked, "b0");
  await connection.accept();
  await connection.peer.sendText("hello");
  assert.equal(textOf(await session.readMessage()), "hello");
  assert.equal(await router.metric("circuit_breaker_state", { backend: "b0" }), 2);
  const third = ask(router);
  await (await HttpExchange.next(backend)).respond(200, "{}");
  assert.equal(await third, "b0");
  assert.equal(await router.metric("circuit_breaker_state", { backend: "b0" }), 0);
  assert.equal(backend.connectionCount, 4);
});
