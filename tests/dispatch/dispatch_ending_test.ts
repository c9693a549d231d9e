/** Requests that end before their answer: out of time, or left by their client. */

import assert from "node:assert/strict";
import { backendConfig, openCircuit } from "../support/live_backends.ts";
import { settled } from "../support/settled.ts";
import {
  ASKED,
  breaking,
  Dispatched,
  headOnly,
  ok,
  refused,
  silent,
  status,
} from "./dispatched.ts";

Deno.test("dispatch() gives up a standard request after its total", async () => {
  const dispatched = new Dispatched(silent, { timeouts: { standardTotalMs: 100 } });
  const refusal = dispatched.refusal(ASKED);
  await settled();
  dispatched.scenario.clock.advance(100);
  assert.equal((await refusal).code, "upstream_timeout");
  assert.deepEqual(dispatched.tries, [["a", 504, "upstream_error"]]);
  assert.equal(dispatched.failures("a"), 1);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() counts the total anew once the request is whole", async () => {
  const dispatched = new Dispatched(silent, { timeouts: { standardTotalMs: 100 } });
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = new ReadableStream({
    pull: async (controller) => {
      await promise;
      controller.enqueue(new TextEncoder().encode(JSON.stringify(ASKED)));
      controller.close();
    },
  });
  const refusal = dispatched.refusal(ASKED, { body: slow });
  await settled();
  dispatched.scenario.clock.advance(99);
  resolve();
  await settled();
  dispatched.scenario.clock.advance(99);
  await settled();
  assert.equal(dispatched.failures("a"), 0);
  dispatched.scenario.clock.advance(1);
  assert.equal((await refusal).code, "upstream_timeout");
});

Deno.test("dispatch() gives up a request that does not become whole", async () => {
  const dispatched = new Dispatched(ok, { timeouts: { standardTotalMs: 100 } });
  const refusal = dispatched.refusal(ASKED, { body: new ReadableStream() });
  await settled();
  dispatched.scenario.clock.advance(100);
  assert.equal((await refusal).code, "request_timeout");
});

Deno.test("dispatch() tries the next candidate when a stream's first byte is late", async () => {
  const dispatched = new Dispatched({ a: silent, b: silent, c: ok }, {
    timeouts: { firstByteMs: 10 },
  });
  const answer = dispatched.post({ ...ASKED, stream: true });
  await settled();
  dispatched.scenario.clock.advance(10);
  await settled();
  dispatched.scenario.clock.advance(10);
  const response = await answer;
  assert.equal(response.headers.get("x-served-backend"), "c");
  await response.text();
  assert.deepEqual(dispatched.tries, [
    ["a", 504, "upstream_error"],
    ["b", 504, "upstream_error"],
    ["c", 200, "completed"],
  ]);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() tries the next candidate when the first byte is late after the head", async () => {
  const dispatched = new Dispatched({ a: headOnly, b: silent, c: ok }, {
    timeouts: { firstByteMs: 10 },
  });
  const answer = dispatched.post({ ...ASKED, stream: true });
  for (let late = 0; late < 2; late++) {
    await settled();
    dispatched.scenario.clock.advance(10);
  }
  const response = await answer;
  assert.equal(response.headers.get("x-served-backend"), "c");
  await response.text();
  assert.deepEqual(dispatched.tries, [
    ["a", 504, "upstream_error"],
    ["b", 504, "upstream_error"],
    ["c", 200, "completed"],
  ]);
  assert.equal(dispatched.failures("a"), 1);
  assert.ok(dispatched.requests[0]?.signal.aborted);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() passes a head on that has waited a second for its body", async () => {
  const dispatched = new Dispatched(headOnly, {
    timeouts: { firstByteMs: 2_000, streamingTotalMs: 9_000 },
  });
  const answer = dispatched.post({ ...ASKED, stream: true });
  await settled();
  dispatched.scenario.clock.advance(999);
  await settled();
  assert.deepEqual(await Promise.race([answer, "waits"]), "waits");
  dispatched.scenario.clock.advance(1);
  const response = await answer;
  assert.equal(response.headers.get("x-served-backend"), "a");
  // It has yet to come.
  assert.equal(dispatched.scenario.backend("a").latency.averageMs, null);
  const text = response.text();
  await settled();
  dispatched.scenario.clock.advance(1_000);
  await assert.rejects(text);
  assert.deepEqual(dispatched.tries, [["a", 200, "upstream_error"]]);
  assert.equal(dispatched.failures("a"), 1);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() says nothing of a backend whose client leaves after the head, before the first byte", async () => {
  const dispatched = new Dispatched(headOnly);
  dispatched.scenario.backend("a").breaker.acquire(0)?.failure(0);
  const answer = dispatched.post(ASKED, { headers: { "x-backend": "a" } });
  await settled();
  dispatched.scenario.clock.advance(1_000);
  await (await answer).body?.cancel();
  assert.deepEqual(dispatched.tries, [["a", 200, "client_cancelled"]]);
  assert.equal(dispatched.failures("a"), 1);
});

Deno.test.each([true, false])(
  "dispatch() tries the next candidate when a body breaks off before its first byte (stream: %s)",
  async (stream) => {
    const dispatched = new Dispatched({ a: breaking, b: breaking, c: ok });
    const response = await dispatched.post({ ...ASKED, stream });
    assert.equal(response.headers.get("x-served-backend"), "c");
    await response.text();
    assert.deepEqual(dispatched.tries, [
      ["a", 502, "upstream_error"],
      ["b", 502, "upstream_error"],
      ["c", 200, "completed"],
    ]);
    assert.deepEqual(dispatched.scenario.failures[0], ["a", "connection reset"]);
    assert.equal(dispatched.failures("a"), 1);
  },
);

Deno.test("dispatch() answers upstream_timeout when no first byte comes after the head", async () => {
  const dispatched = new Dispatched(headOnly, { timeouts: { standardTotalMs: 100 } });
  const refusal = dispatched.refusal(ASKED);
  await settled();
  dispatched.scenario.clock.advance(100);
  assert.equal((await refusal).code, "upstream_timeout");
  assert.deepEqual(dispatched.tries, [["a", 504, "upstream_error"]]);
});

Deno.test("dispatch() says nothing of a backend whose client leaves between head and first byte", async () => {
  const client = new AbortController();
  const dispatched = new Dispatched(headOnly);
  const breaker = dispatched.scenario.backend("a").breaker;
  breaker.acquire(0)?.failure(0);
  const answer = dispatched.post(ASKED, {
    signal: client.signal,
    headers: { "x-backend": "a" },
  });
  await settled();
  client.abort();
  assert.equal((await answer).status, 499);
  assert.deepEqual(dispatched.tries, [["a", 499, "client_cancelled"]]);
  // A success would have ended the row of failures.
  assert.equal(dispatched.failures("a"), 1);
});

Deno.test("dispatch() keeps a failed answer while it waits for another backend's first byte", async () => {
  const dispatched = new Dispatched({ a: status(503), b: silent, c: silent }, {
    timeouts: { firstByteMs: 10 },
  });
  const answer = dispatched.post({ ...ASKED, stream: true });
  await settled();
  dispatched.scenario.clock.advance(10);
  await settled();
  dispatched.scenario.clock.advance(10);
  const response = await answer;
  assert.deepEqual([response.status, response.headers.get("x-served-backend")], [503, "a"]);
  assert.deepEqual(await response.json(), { error: { message: "m" } });
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() answers upstream_timeout when the last try was late", async () => {
  const dispatched = new Dispatched({ a: refused, b: refused, c: silent }, {
    timeouts: { firstByteMs: 10 },
  });
  const refusal = dispatched.refusal({ ...ASKED, stream: true });
  await settled();
  dispatched.scenario.clock.advance(10);
  assert.equal((await refusal).code, "upstream_timeout");
});

Deno.test("dispatch() passes no answer on when the request's time is over", async () => {
  const dispatched = new Dispatched({ a: status(503), b: silent, c: ok }, {
    timeouts: { standardTotalMs: 100 },
  });
  const refusal = dispatched.refusal(ASKED);
  await settled();
  dispatched.scenario.clock.advance(100);
  assert.equal((await refusal).code, "upstream_timeout");
  assert.deepEqual(dispatched.asked, ["a", "b"]);
});

Deno.test("dispatch() does not count a client that leaves against the backend", async () => {
  const client = new AbortController();
  const dispatched = new Dispatched(silent);
  const answer = dispatched.post(ASKED, { signal: client.signal });
  await settled();
  client.abort();
  assert.equal((await answer).status, 499);
  assert.ok(dispatched.requests[0]?.signal.aborted);
  assert.deepEqual(dispatched.tries, [["a", 499, "client_cancelled"]]);
  assert.equal(dispatched.failures("a"), 0);
  assert.equal(dispatched.asked.length, 1);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() answers nobody when the client leaves within its request", async () => {
  const client = new AbortController();
  const dispatched = new Dispatched(ok);
  const answer = dispatched.post(ASKED, { signal: client.signal, body: new ReadableStream() });
  await settled();
  client.abort();
  assert.equal((await answer).status, 499);
  assert.deepEqual([dispatched.asked, dispatched.scenario.clock.pending], [[], 0]);
});

Deno.test("dispatch() gives a half-open circuit its slots back", async () => {
  const dispatched = new Dispatched(silent, {
    backends: [backendConfig("a", { models: ["voice"] })],
  });
  const { scenario } = dispatched;
  openCircuit(scenario.backend("a"), scenario.clock.now());
  scenario.clock.advance(60_000);
  const clients = Array.from({ length: 3 }, () => new AbortController());
  const answers = clients.map(({ signal }) => dispatched.post(ASKED, { signal }));
  await settled();
  assert.equal((await dispatched.refusal(ASKED)).code, "no_available_backend");
  for (const client of clients) client.abort();
  await Promise.all(answers);
  assert.deepEqual(scenario.backend("a").breaker.state(scenario.clock.now()), {
    kind: "half_open",
    inFlight: 0,
    successes: 0,
  });
});

Deno.test("dispatch() tells the latency average how fast the first byte came, of successes only", async () => {
  const dispatched = new Dispatched({
    a: status(500),
    b: () => {
      dispatched.scenario.clock.advance(40);
      return ok();
    },
    c: ok,
  });
  await (await dispatched.post(ASKED)).text();
  assert.equal(dispatched.scenario.backend("a").latency.averageMs, null);
  assert.equal(dispatched.scenario.backend("b").latency.averageMs, 40);
});

Deno.test("dispatch() does not take a quick refusal for a quick backend", async () => {
  const dispatched = new Dispatched({ a: status(429), b: ok, c: ok });
  const answer = await dispatched.post(ASKED, { headers: { "x-backend": "a" } });
  await answer.text();
  assert.equal(answer.status, 429);
  assert.equal(dispatched.scenario.backend("a").latency.averageMs, null);
});
