import assert from "node:assert/strict";
import { type BackendConfig, MAX_CONCURRENT_PROBES } from "../../src/routing/mod.ts";
import { settled } from "../support/settled.ts";
import { backendConfig } from "./fixtures.ts";
import { type Answering, ProbeFixture, statuses } from "./probe_fixture.ts";

/** A backend without a port and with a list of models, so that only its health is asked for. */
function config(name: string, changes: Partial<BackendConfig> = {}): BackendConfig {
  return backendConfig(name, { url: `http://${name}.test`, models: ["m"], ...changes });
}

function health(changes: Partial<BackendConfig["health"]>): Pick<BackendConfig, "health"> {
  return { health: { ...backendConfig("x").health, ...changes } };
}

const OK: Answering = () => new Response("");
const status = (code: number): Answering => () => new Response("", { status: code });

Deno.test("Prober probes every backend at start, and again an interval after each probe", async () => {
  await using fixture = new ProbeFixture([
    config("a"),
    config("b", { url: "wss://b.test/base", ...health({ intervalMs: 10_000 }) }),
  ]);
  await fixture.start(OK);
  assert.deepEqual(fixture.asked(), ["a.test/v1/models", "b.test/base/v1/models"]);
  assert.deepEqual([fixture.health("a"), fixture.health("b")], ["ready", "ready"]);
  assert.equal(fixture.clock.pending, 1, "one timer for all");
  await fixture.pass(9_999);
  assert.deepEqual(fixture.asked(), []);
  await fixture.pass(1);
  assert.deepEqual(fixture.asked(), ["b.test/base/v1/models"]);
  await fixture.pass(10_000);
  await fixture.pass(10_000);
  assert.deepEqual(fixture.asked(), [
    "b.test/base/v1/models",
    "a.test/v1/models",
    "b.test/base/v1/models",
  ]);
});

Deno.test("Prober.start() twice probes once", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start();
  await fixture.start();
  assert.deepEqual(fixture.asked(), ["a.test/v1/models"]);
});

Deno.test("Prober sends the backend's credential and headers, and follows no redirect", async () => {
  await using fixture = new ProbeFixture([
    config("a", { apiKey: "configured", orgId: "org", headers: { "X-Team": "voice" } }),
    config("b", { apiKey: "configured", realtimeAuth: "api-key" }),
  ]);
  fixture.credentials.set("b", "delivered");
  await fixture.start(status(307));
  assert.deepEqual(fixture.changes, []);
  assert.equal(fixture.registry.get("a")?.health.lastFailure, "HTTP status 307");
  fixture.answering = () => undefined;
  await fixture.pass(30_000);
  const [a, b] = fixture.open;
  assert.equal(a?.init.redirect, "manual");
  assert.deepEqual(Object.fromEntries(a?.headers ?? []), {
    "authorization": "Bearer configured",
    "openai-organization": "org",
    "user-agent": "realtime-router/test",
    "x-team": "voice",
  });
  assert.deepEqual(Object.fromEntries(b?.headers ?? []), {
    "api-key": "delivered",
    "user-agent": "realtime-router/test",
  });
});

Deno.test("Prober takes a 503 for a warm-up: probes often, routes nothing, and gives up in the end", async () => {
  await using fixture = new ProbeFixture([
    config("a", health({ warmupCheckIntervalMs: 1_000, maxWarmupDurationMs: 5_000 })),
  ]);
  await fixture.start(status(503));
  const backend = fixture.registry.get("a");
  assert.equal(fixture.health("a"), "warming_up");
  assert.equal(backend?.health.routable, false);
  for (let second = 1; second < 5; second++) await fixture.pass(1_000);
  assert.equal(fixture.asked().length, 5);
  assert.equal(fixture.health("a"), "warming_up");
  await fixture.pass(1_000);
  assert.equal(fixture.health("a"), "down");
  assert.equal(fixture.changes.length, 2, "told without a probe");
  fixture.answering = OK;
  // No longer a warm-up: an interval after the last probe.
  await fixture.pass(28_999);
  assert.equal(fixture.asked().length, 0);
  await fixture.pass(1);
  assert.equal(fixture.asked().length, 1);
  assert.equal(fixture.health("a"), "down");
  await fixture.pass(30_000);
  assert.equal(fixture.health("a"), "ready");
  assert.deepEqual(fixture.changes, [
    { backend: "a", from: "unknown", to: "warming_up", reason: "HTTP status 503" },
    { backend: "a", from: "warming_up", to: "down", reason: "HTTP status 503" },
    { backend: "a", from: "down", to: "ready", reason: null },
  ]);
});

Deno.test("Prober takes a backend that has warmed up back at the next probe", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start(status(503));
  fixture.answering = OK;
  await fixture.pass(1_000);
  assert.equal(fixture.health("a"), "ready");
});

Deno.test("Prober takes a backend down after unhealthyThreshold failures and back after healthyThreshold successes", async () => {
  await using fixture = new ProbeFixture([
    config("a", health({ unhealthyThreshold: 2, healthyThreshold: 3 })),
  ]);
  const seen: (string | undefined)[] = [];
  await fixture.start(OK);
  for (const code of [500, 200, 404, 500, 200, 200, 500, 200, 200, 200]) {
    fixture.answering = status(code);
    await fixture.pass(30_000);
    seen.push(fixture.health("a"));
  }
  assert.deepEqual(seen, [
    "ready",
    "ready",
    "ready",
    "down",
    "down",
    "down",
    "down",
    "down",
    "down",
    "ready",
  ]);
  assert.deepEqual(fixture.changes.map(({ from, to, reason }) => [from, to, reason]), [
    ["unknown", "ready", null],
    ["ready", "down", "HTTP status 500"],
    ["down", "ready", null],
  ]);
});

Deno.test("Prober gives a probe healthTimeoutMs, whatever it asks in that time", async () => {
  await using fixture = new ProbeFixture([config("a", { healthTimeoutMs: 5_000 })]);
  await fixture.start();
  await fixture.pass(3_000);
  fixture.open[0]?.answer(new Response("", { status: 404 }));
  await settled();
  assert.deepEqual(fixture.asked(), ["a.test/v1/models", "a.test/health"]);
  await fixture.pass(1_999);
  assert.equal(fixture.open.length, 1);
  await fixture.pass(1);
  assert.equal(fixture.open.length, 0, "the request is aborted");
  assert.equal(fixture.registry.get("a")?.health.lastFailure, "no answer within 5000 ms");
  await fixture.pass(29_999);
  assert.equal(fixture.open.length, 0);
  await fixture.pass(1);
  assert.equal(fixture.open.length, 1);
});

Deno.test("Prober never probes a backend twice at a time, however short its interval", async () => {
  await using fixture = new ProbeFixture([
    config("a", { healthTimeoutMs: 60_000, ...health({ intervalMs: 1_000 }) }),
    config("b", health({ intervalMs: 1_000 })),
  ]);
  await fixture.start(({ url }) => url.includes("b.test") ? new Response("") : undefined);
  for (let second = 0; second < 20; second++) await fixture.pass(1_000);
  const asked = fixture.asked();
  assert.equal(asked.filter((place) => place.startsWith("a.")).length, 1);
  assert.equal(asked.filter((place) => place.startsWith("b.")).length, 21);
  fixture.open[0]?.answer(new Response(""));
  await settled();
  assert.equal(fixture.health("a"), "ready");
  await fixture.pass(1_000);
  assert.equal(fixture.open.length, 1);
});

Deno.test("Prober probes few at a time, and those first that have waited longest", async () => {
  const names = Array.from({ length: 2 * MAX_CONCURRENT_PROBES + 1 }, (_, index) => `b${index}`);
  await using fixture = new ProbeFixture(
    names.map((name) =>
      config(name, { healthTimeoutMs: 10_000, ...health({ intervalMs: 1_000 }) })
    ),
  );
  await fixture.start();
  const firsts = new Set<string>();
  for (let round = 0; round < 3; round++) {
    assert.ok(fixture.open.length <= MAX_CONCURRENT_PROBES);
    for (const { place } of fixture.open) firsts.add(place);
    await fixture.pass(10_000);
  }
  // The first ones are overdue by then as well, but everybody has had a turn.
  assert.equal(firsts.size, names.length);
});

Deno.test("Prober.close() ends a running probe without a result, and leaves nothing", async () => {
  const fixture = new ProbeFixture([config("a", health({ unhealthyThreshold: 1 })), config("b")]);
  await fixture.start();
  assert.equal(fixture.open.length, 2);
  await fixture.prober.close();
  assert.equal(fixture.open.length, 0);
  assert.equal(fixture.clock.pending, 0);
  assert.deepEqual(fixture.changes, []);
  assert.equal(fixture.health("a"), "unknown");
  fixture.asked();
  fixture.prober.start();
  await fixture.apply([config("c")]);
  assert.deepEqual(fixture.asked(), [], "nothing starts afterwards");
});

Deno.test("Prober.close() while nothing runs takes the timer away", async () => {
  const fixture = new ProbeFixture([config("a")]);
  await fixture.start(OK);
  assert.equal(fixture.clock.pending, 1);
  await fixture.prober.close();
  assert.equal(fixture.clock.pending, 0);
});

Deno.test("Prober.refresh() probes what is new at once and the rest as before", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start(OK);
  await fixture.pass(10_000);
  fixture.asked();
  await fixture.apply([config("a"), config("b")]);
  assert.deepEqual(fixture.asked(), ["b.test/v1/models"]);
  await fixture.pass(20_000);
  assert.deepEqual(fixture.asked(), ["a.test/v1/models"]);
});

Deno.test("Prober.refresh() ends the probe of a backend that is gone", async () => {
  await using fixture = new ProbeFixture([config("a", health({ unhealthyThreshold: 1 }))]);
  await fixture.start();
  const gone = fixture.registry.get("a");
  await fixture.apply([config("b")]);
  assert.deepEqual(fixture.open.map(({ place }) => place), ["b.test/v1/models"]);
  assert.equal(gone?.health.lastFailure, null);
  // One of the same name is another backend, of which nothing is known.
  await fixture.apply([config("a")]);
  assert.deepEqual(fixture.open.map(({ place }) => place), ["a.test/v1/models"]);
  assert.deepEqual(fixture.changes, []);
  assert.deepEqual(fixture.asked(), ["a", "b", "a"].map((name) => `${name}.test/v1/models`));
});

Deno.test("Prober.refresh() probes a backend that has moved anew, and forgets its endpoint", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start(statuses({ "/health": 200 }));
  fixture.answering = () => undefined;
  await fixture.pass(30_000);
  fixture.asked();
  await fixture.apply([config("a", { url: "http://elsewhere.test" })]);
  assert.deepEqual(fixture.asked(), ["elsewhere.test/v1/models"]);
  assert.equal(fixture.open.length, 1, "the old server is no longer asked");
  assert.deepEqual(fixture.changes.at(-1), {
    backend: "a",
    from: "ready",
    to: "unknown",
    reason: null,
  });
});

Deno.test("Prober.refresh() lets a running probe of an unmoved backend go on", async () => {
  await using fixture = new ProbeFixture([config("a")]);
  await fixture.start();
  await fixture.apply([config("a", { weight: 2 })]);
  assert.deepEqual(fixture.asked(), ["a.test/v1/models"]);
  fixture.open[0]?.answer(new Response(""));
  await settled();
  assert.equal(fixture.health("a"), "ready");
});

Deno.test("Prober does not probe where checks are off, and begins when they are turned on", async () => {
  await using fixture = new ProbeFixture([config("a", health({ enabled: false }))]);
  await fixture.start(OK);
  assert.equal(fixture.clock.pending, 0);
  assert.deepEqual(fixture.asked(), []);
  await fixture.apply([config("a")]);
  assert.deepEqual(fixture.asked(), ["a.test/v1/models"]);
  await fixture.apply([config("a", health({ enabled: false }))]);
  assert.equal(fixture.health("a"), "unknown");
  assert.equal(fixture.clock.pending, 0);
});

Deno.test("Prober waits for intervals longer than the platform's timers can", async () => {
  const intervalMs = 30 * 86_400_000;
  await using fixture = new ProbeFixture([config("a", health({ intervalMs }))]);
  const waits: number[] = [];
  const { after } = fixture.clock;
  Object.assign(fixture.clock, {
    after: (ms: number, run: () => void) => {
      waits.push(ms);
      return after(ms, run);
    },
  });
  await fixture.start(OK);
  await fixture.pass(intervalMs - 1);
  assert.ok(Math.max(...waits) < 2 ** 31);
  assert.equal(fixture.asked().length, 1);
  await fixture.pass(1);
  assert.equal(fixture.asked().length, 1);
});
