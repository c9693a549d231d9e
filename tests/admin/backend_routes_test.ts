import assert from "node:assert/strict";
import { BackendRegistry } from "../../src/routing/mod.ts";
import { AdminFixture, UNIX_NOW_MS } from "./admin_fixture.ts";

const BREAKER = {
  enabled: true,
  failureThreshold: 2,
  failureRateThreshold: 1,
  minimumRequests: 100,
  timeoutMs: 60_000,
  halfOpenMaxRequests: 1,
  halfOpenSuccessThreshold: 1,
};

function configOf(name: string) {
  return {
    name,
    url: "http://10.0.0.5:8000",
    type: "vllm" as const,
    apiKey: "backend-secret",
    orgId: undefined,
    headers: {},
    weight: 3,
    models: ["voice"],
    modelConfigs: [],
    realtimePath: undefined,
    realtimeAuth: "bearer" as const,
    healthEndpoint: "/health",
    healthTimeoutMs: 1_000,
    health: {
      enabled: true,
      intervalMs: 1_000,
      unhealthyThreshold: 1,
      healthyThreshold: 1,
      warmupCheckIntervalMs: 1_000,
      maxWarmupDurationMs: 1_000,
    },
    breaker: BREAKER,
  };
}

function setUp() {
  const registry = new BackendRegistry([configOf("one"), configOf("gpu:2")]);
  return { registry, admin: new AdminFixture({ registry }) };
}

function openCircuitOf(registry: BackendRegistry, name: string, nowMs: number): void {
  for (let failures = 0; failures < BREAKER.failureThreshold; failures++) {
    registry.get(name)?.breaker.acquire(nowMs)?.failure(nowMs);
  }
}

const FRESH = {
  type: "vllm",
  weight: 3,
  models: ["voice"],
  health: "unknown",
  health_failure: null,
  circuit: "closed",
  circuit_retry_after_ms: 0,
  sessions: 0,
  average_latency_ms: null,
  last_error: null,
};

Deno.test("GET /admin/backends lists backends in the order of the file", async () => {
  const { admin } = setUp();
  assert.deepEqual(await admin.json("/admin/backends"), [200, {
    backends: [{ name: "one", ...FRESH }, { name: "gpu:2", ...FRESH }],
  }]);
});

Deno.test("GET /admin/backends shows health, circuit, sessions and the last error as they are now", async () => {
  const { registry, admin } = setUp();
  const backend = registry.get("one");
  backend?.health.record({ kind: "failed", reason: "HTTP status 500" }, 49_000);
  openCircuitOf(registry, "one", 40_000);
  backend?.latency.observe(12.5);
  using _session = backend?.openSession();
  admin.lastErrors.note("one", { message: "connection refused", atMs: UNIX_NOW_MS });
  const [, body] = await admin.json("/admin/backends");
  assert.deepEqual(body, {
    backends: [{
      ...FRESH,
      name: "one",
      health: "down",
      health_failure: "HTTP status 500",
      circuit: "open",
      circuit_retry_after_ms: 50_000,
      sessions: 1,
      average_latency_ms: 12.5,
      last_error: { message: "connection refused", at: "2027-01-01T00:00:00.000Z" },
    }, { name: "gpu:2", ...FRESH }],
  });
  admin.clock.advance(50_000);
  const later = await (await admin.fetch("/admin/backends")).json();
  assert.equal(later.backends[0].circuit, "half_open");
});

Deno.test("POST /admin/backends/{name}/circuit/reset closes the circuit and says so in the log", async () => {
  const { registry, admin } = setUp();
  openCircuitOf(registry, "gpu:2", 49_000);
  assert.equal(registry.get("gpu:2")?.breaker.admits(50_000), false);
  const [status, body] = await admin.json("/admin/backends/gpu%3A2/circuit/reset", {
    method: "POST",
  });
  assert.equal(status, 200);
  assert.deepEqual(body, { name: "gpu:2", ...FRESH });
  assert.equal(registry.get("gpu:2")?.breaker.admits(50_000), true);
  assert.deepEqual(admin.logged, [
    ["circuit reset by operator", { backend: "gpu:2", circuit: "open" }],
  ]);
});

Deno.test.each(
  ["three", "ONE", "one%20", "%ff", "constructor", "__proto__"].map((name) => ({ name })),
)(
  "POST /admin/backends/$name/circuit/reset answers 404",
  async ({ name }) => {
    const { admin } = setUp();
    const path = `/admin/backends/${name}/circuit/reset`;
    assert.deepEqual(await admin.refusal(path, { method: "POST" }), [404, "not_found", null]);
    assert.deepEqual(admin.logged, []);
  },
);

Deno.test("GET /admin/backends shows neither credentials nor anything else of the configuration", async () => {
  const { admin } = setUp();
  const text = await (await admin.fetch("/admin/backends")).text();
  assert.ok(!text.includes("backend-secret"));
  assert.ok(!text.includes("10.0.0.5"));
});
