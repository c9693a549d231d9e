/** Probes over the network: what they find decides where sessions go (spec §4, §5). */

import assert from "node:assert/strict";
import { makeAuthority } from "../support/certificates.ts";
import { CapturedLog } from "../support/captured_log.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { LiveBackend } from "../support/live_backend.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";
import { refusal, tallyVisits, visit } from "../support/visit.ts";

const CHECKS = "health_checks: { interval: 30s, timeout: 5s, unhealthy_threshold: 1, " +
  "healthy_threshold: 1, warmup_check_interval: 1s, max_warmup_duration: 3s }";

function changed(backend: string, to: string) {
  return { module: "health", msg: "backend health changed", backend, to };
}

function health(router: TestRouter, backend: string): Promise<number> {
  return router.metric("backend_health_state", { backend });
}

/** Checks that there is no backend; resolves to the seconds after which to retry. */
async function assertUnavailable(router: TestRouter): Promise<number> {
  const { status, code, headers } = await refusal(router);
  assert.deepEqual([status, code], [503, "no_available_backend"]);
  return Number(headers.get("retry-after"));
}

Deno.test("health: a backend that warms up gets no sessions, then all", async () => {
  using log = await CapturedLog.start();
  const clock = new FakeClock();
  await using backend = await LiveBackend.start("a");
  backend.probeStatus = 503;
  await using router = await startTestRouter({ backends: [backend.url], yaml: CHECKS, clock });
  await log.until(changed("b0", "warming_up"));
  assert.equal(await health(router, "b0"), 2);
  assert.equal(await assertUnavailable(router), 1);
  assert.equal(backend.upgrades.length, 0);
  backend.probeStatus = 200;
  clock.advance(1_000);
  await log.until(changed("b0", "ready"));
  assert.equal(await health(router, "b0"), 1);
  assert.equal(await visit(router), "a");
});

Deno.test("health: a warm-up that takes too long ends in down", async () => {
  using log = await CapturedLog.start();
  const clock = new FakeClock();
  await using backend = await LiveBackend.start("a");
  backend.probeStatus = 503;
  await using router = await startTestRouter({ backends: [backend.url], yaml: CHECKS, clock });
  await log.until(changed("b0", "warming_up"));
  clock.advance(3_000);
  assert.equal(await health(router, "b0"), 3);
  await log.until(changed("b0", "down"));
  // An interval after the last probe, whichever that was.
  const seconds = await assertUnavailable(router);
  assert.ok(seconds > 20 && seconds <= 30);
});

Deno.test("health: of two backends the one that is down is left out, until it is back", async () => {
  using log = await CapturedLog.start();
  const clock = new FakeClock();
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  await using router = await startTestRouter({ backends: [a.url, b.url], yaml: CHECKS, clock });
  await log.until(changed("b0", "ready"));
  await log.until(changed("b1", "ready"));
  assert.deepEqual(await tallyVisits(router, 6), { a: 3, b: 3 });
  await a.stop();
  clock.advance(30_000);
  await log.until(changed("b0", "down"));
  const [line] = log.find(changed("b0", "down"));
  assert.equal(line?.["level"], "warn");
  assert.match(String(line?.["reason"]), /refused/i);
  assert.deepEqual(await tallyVisits(router, 6), { b: 6 });
  await a.restart();
  clock.advance(30_000);
  await log.until(changed("b0", "ready"), 2);
  assert.deepEqual(await tallyVisits(router, 6), { a: 3, b: 3 });
});

Deno.test("health: a probe that gets no answer ends in time, and one that is open at the end is let go", async () => {
  using log = await CapturedLog.start();
  const clock = new FakeClock();
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url], yaml: CHECKS, clock });
  const first = await fake.nextConnection();
  assert.match(await first.readRequest(), /^GET \/v1\/models HTTP\/1\.1\r\n/);
  clock.advance(5_000);
  await log.until({ ...changed("b0", "down"), reason: "no answer within 5000 ms" });
  await first.peer.readRest();
  assert.equal(await assertUnavailable(router), 30);
  clock.advance(30_000);
  const second = await fake.nextConnection();
  await second.readRequest();
  await router.router.close();
  await second.peer.readRest();
  assert.equal(clock.pending, 0);
});

Deno.test("health: a redirect is a failure and is not followed", async () => {
  using log = await CapturedLog.start();
  await using elsewhere = await FakeBackend.listen();
  await using fake = await FakeBackend.listen();
  await using _router = await startTestRouter({
    backends: [fake.url],
    yaml: CHECKS,
    clock: new FakeClock(),
  });
  const connection = await fake.nextConnection();
  await connection.readRequest();
  await connection.peer.write(
    `HTTP/1.1 307 Elsewhere\r\nlocation: http://127.0.0.1:${elsewhere.port}/\r\n` +
      "content-length: 0\r\n\r\n",
  );
  await log.until({ ...changed("b0", "down"), reason: "HTTP status 307" });
  assert.equal(elsewhere.connectionCount, 0);
});

Deno.test("health: probes carry the backend's credential, and each has a connection of its own", async () => {
  using log = await CapturedLog.start();
  const clock = new FakeClock();
  await using backend = await LiveBackend.start("a");
  await using _router = await startTestRouter({
    yaml: [
      CHECKS,
      "backends:",
      `  - { name: b0, url: "${backend.url.replace("ws:", "http:")}/base", models: [m], `,
      '      api_key: "configured-secret", org_id: "org", headers: { x-team: team-of-voice },',
      '      health_check: { endpoint: "/livez" } }',
    ].join("\n"),
    clock,
  });
  await log.until(changed("b0", "ready"));
  backend.probeStatus = 500;
  clock.advance(30_000);
  await log.until(changed("b0", "down"));
  assert.equal(backend.connectionCount, 2);
  for (const head of backend.probes) {
    assert.match(head, /^GET \/base\/livez HTTP\/1\.1\r\n/);
    assert.match(head, /^authorization: Bearer configured-secret\r$/im);
    assert.match(head, /^openai-organization: org\r$/im);
    assert.match(head, /^x-team: team-of-voice\r$/im);
    assert.match(head, /^user-agent: realtime-router\/test\r$/im);
  }
  assert.ok(!JSON.stringify(log.lines).includes("configured-secret"));
});

Deno.test("health: a TLS backend is probed only when its certificate is trusted", async () => {
  using log = await CapturedLog.start();
  const authority = await makeAuthority();
  const tls = await authority.issue({ names: ["127.0.0.1"] });
  await using trusted = await FakeBackend.listen({ tls });
  const run = async (caCerts: readonly string[]) => {
    await using _router = await startTestRouter({
      backends: [trusted.url],
      yaml: CHECKS,
      clock: new FakeClock(),
      caCerts,
    });
    const connection = await trusted.nextConnection();
    const head = await connection.readRequest();
    if (head !== "") await connection.peer.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    await log.until(changed("b0", head === "" ? "down" : "ready"));
  };
  await run([authority.caPem]);
  await run([]);
  assert.equal(log.find(changed("b0", "ready")).length, 1);
  const [down] = log.find(changed("b0", "down"));
  assert.match(String(down?.["reason"]), /certificate/i);
});

Deno.test("health: models are discovered, and sessions go to whoever lists them", async () => {
  using log = await CapturedLog.start();
  const clock = new FakeClock();
  await using a = await LiveBackend.start("a");
  await using b = await LiveBackend.start("b");
  a.models = ["gpt-realtime", "text-model"];
  await using router = await startTestRouter({
    yaml: [
      "health_checks: { interval: 30s }",
      "backends:",
      `  - { name: b0, url: "${a.url}" }`,
      `  - { name: b1, url: "${b.url}", health_check: { enabled: false } }`,
    ].join("\n"),
    clock,
  });
  const discovered = (backend: string, models: number) => ({
    module: "health",
    msg: "models discovered",
    backend,
    models,
  });
  await log.until(discovered("b0", 2));
  const target = "/v1/realtime?model=gpt-realtime";
  assert.equal(await visit(router, { target }), "a");
  assert.equal((await refusal(router)).code, "model_not_found");
  a.models = [];
  b.models = ["gpt-realtime"];
  clock.advance(30_000);
  await log.until(discovered("b0", 0));
  await log.until(discovered("b1", 1));
  assert.equal(await visit(router, { target }), "b");
  assert.equal(await health(router, "b1"), 0);
});

Deno.test("health: turned off, nothing is probed where models are configured", async () => {
  const clock = new FakeClock();
  await using backend = await LiveBackend.start("a");
  await using router = await startTestRouter({ backends: [backend.url], clock });
  assert.equal(await visit(router), "a");
  assert.equal(clock.pending, 0);
  assert.equal(backend.connectionCount, 1);
  assert.equal(await health(router, "b0"), 0);
});
