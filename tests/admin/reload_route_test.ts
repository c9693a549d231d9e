import assert from "node:assert/strict";
import { ConfigError } from "../../src/config/mod.ts";
import { AdminFixture } from "./admin_fixture.ts";

const POST = { method: "POST" };

Deno.test("POST /admin/reload tells what was applied and what waits for a restart", async () => {
  const result = { applied: ["backends"], waiting_for_restart: ["realtime.max_sessions"] };
  const admin = new AdminFixture({ reload: () => Promise.resolve(result) });
  assert.deepEqual(await admin.json("/admin/reload", POST), [200, result]);
});

Deno.test("POST /admin/reload answers 400 with every problem of a bad configuration", async () => {
  const error = new ConfigError([
    { path: "realtime.max_sessions", message: "must be at least 1", file: "config.yaml" },
    { path: "server", message: "must be a mapping" },
  ]);
  const admin = new AdminFixture({ reload: () => Promise.reject(error) });
  const [status, body] = await admin.json("/admin/reload", POST);
  assert.equal(status, 400);
  assert.deepEqual(body, {
    error: {
      message: "config.yaml: realtime.max_sessions: must be at least 1\nserver: must be a mapping",
      type: "invalid_request_error",
      code: "invalid_request",
      param: null,
    },
  });
});

Deno.test("POST /admin/reload leaves other failures to the application", async () => {
  const failure = new Error("a fault");
  const admin = new AdminFixture({ reload: () => Promise.reject(failure) });
  await assert.rejects(admin.fetch("/admin/reload", POST), (error) => error === failure);
});

Deno.test("adminRoutes() has no /admin/reload when nothing can be reloaded", () => {
  assert.ok(!new AdminFixture().paths.includes("/admin/reload"));
});
