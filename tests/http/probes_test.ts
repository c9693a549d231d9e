import assert from "node:assert/strict";
import { probeRoutes } from "../../src/http/mod.ts";
import { AppFixture } from "./app_fixture.ts";

function setUp() {
  const state = { draining: false };
  const app = new AppFixture(probeRoutes({ isDraining: () => state.draining }), { host: "good" });
  return { app, state };
}

Deno.test("probeRoutes() answer 200 under any Host, /readyz until it drains", async () => {
  const { app, state } = setUp();
  for (const draining of [false, true]) {
    state.draining = draining;
    for (const path of ["/health", "/healthz", "/readyz"]) {
      const response = await app.fetch(path, { headers: { host: "10.0.0.7" } });
      const ready = path !== "/readyz" || !draining;
      assert.equal(response.status, ready ? 200 : 503, path);
      const body = await response.json();
      if (ready) assert.deepEqual(body, { status: path === "/readyz" ? "ready" : "ok" });
      else assert.equal(body.error.code, "draining");
    }
  }
});

Deno.test.each(
  [["POST"], ["PUT"], ["DELETE"], ["OPTIONS"], ["PATCH"]] as const,
)("probeRoutes() answer %s with 405 and what is allowed", async (method) => {
  const { app } = setUp();
  for (const path of ["/health", "/healthz", "/readyz"]) {
    const response = await app.fetch(path, { method });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "GET, HEAD");
    assert.equal((await response.json()).error.code, "method_not_allowed");
  }
});

Deno.test("probeRoutes() answer HEAD", async () => {
  const { app } = setUp();
  assert.equal((await app.fetch("/readyz", { method: "HEAD" })).status, 200);
});
