import assert from "node:assert/strict";
import { maskedConfig, parseConfig } from "../../src/config/mod.ts";
import { AdminFixture } from "./admin_fixture.ts";
import { usageRecord } from "./usage_record.ts";

const SECRETS = ["admin-secret", "backend-secret", "client-secret", "header-secret", "hub-secret"];

const CONFIG = parseConfig(
  `
admin: { auth: { method: bearer_token, token: admin-secret } }
api_keys: { api_keys: [{ key: client-secret, id: one }] }
backends:
  - { name: b, url: "http://b.test", api_key: backend-secret, headers: { x-team: header-secret } }
control_plane: { enabled: true, url: "https://hub.test", token: hub-secret }
`,
  { get: () => undefined },
);

const PATHS = [
  "/admin/stats",
  "/admin/config",
  "/admin/backends",
  "/admin/backends/:name/circuit/reset",
  "/admin/sessions",
  "/admin/sessions/:id",
  "/admin/usage",
  "/admin/events",
  "/admin/reload",
];

Deno.test("adminRoutes() has the routes of spec §12", () => {
  const reload = () => Promise.resolve({ applied: [], waiting_for_restart: [] });
  assert.deepEqual(new AdminFixture({ reload }).paths, PATHS);
});

Deno.test("adminRoutes() guards every route alike, under every method", async () => {
  const reload = () => Promise.reject(new Error("reloaded"));
  const admin = new AdminFixture({ reload });
  for (const path of admin.paths) {
    for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
      const asked = path.replace(/:\w+/, "one");
      assert.deepEqual(await admin.refusal(asked, { method, peer: "192.0.2.7" }), [
        403,
        "admin_not_allowed",
        null,
      ]);
      const headers = { origin: "https://evil.example" };
      assert.deepEqual(await admin.refusal(asked, { method, headers }), [
        403,
        "origin_not_allowed",
        null,
      ]);
    }
  }
  assert.equal(admin.events.subscriberCount, 0);
  assert.deepEqual(admin.logged, []);
});

Deno.test("GET /admin/stats shows what records and sessions add up to, under the names of spec §12", async () => {
  const admin = new AdminFixture();
  admin.statistics.record(usageRecord());
  using _session = admin.totals.opened();
  admin.totals.ended("idle_timeout");
  admin.totals.rejected("missing_model");
  const tokens = { input: 10, cached_input: 2, output: 30 };
  const sum = { requests: 1, errors: 0, tokens };
  assert.deepEqual(await admin.json("/admin/stats"), [200, {
    uptime_seconds: 50,
    total_requests: 1,
    total_errors: 0,
    tokens,
    by_model: { voice: sum },
    by_backend: { one: sum },
    by_key: { "key-1": sum },
    by_outcome: { completed: 1, length: 0, client_cancelled: 0, upstream_error: 0 },
    latency_ms: { p50: 250, p90: 250, p95: 250, p99: 250 },
    realtime: {
      active_sessions: 1,
      sessions_total: {
        completed: 0,
        backend_connect_failed: 0,
        idle_timeout: 1,
        max_duration: 0,
        client_abort: 0,
        backend_abort: 0,
      },
      handshake_rejections_total: { missing_model: 1 },
    },
  }]);
});

Deno.test("GET /admin/config shows the configuration in force, masked", async () => {
  const admin = new AdminFixture({ config: () => CONFIG });
  const headers = { authorization: "Bearer admin-secret" };
  const response = await admin.fetch("/admin/config", { headers });
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("content-type"), "application/json");
  const text = await response.text();
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(maskedConfig(CONFIG))));
  assert.deepEqual(SECRETS.filter((secret) => text.includes(secret)), []);
  assert.ok(text.includes("http://b.test"));
});

Deno.test("adminRoutes() takes admin.auth from the configuration in force", async () => {
  let config = CONFIG;
  const admin = new AdminFixture({ config: () => config });
  assert.deepEqual(await admin.refusal("/admin/sessions"), [401, "missing_api_key", null]);
  config = parseConfig("{}", { get: () => undefined });
  assert.deepEqual(await admin.json("/admin/sessions"), [200, { sessions: [] }]);
});
