import assert from "node:assert/strict";
import { type AdminEndpoint, adminRoute, pathSegment } from "../../src/admin/admin_route.ts";
import type { AdminAuth } from "../../src/admin/mod.ts";
import { RouterError } from "../../src/http/mod.ts";
import { call } from "./admin_fixture.ts";

const NONE: AdminAuth = { method: "none", token: "", username: "", password: "", api_key: "" };

function routeThat(respond: AdminEndpoint["respond"], auth = () => NONE) {
  return [adminRoute({ path: "/admin/thing", method: "POST", respond }, auth)];
}

function assertUncached(response: Response): void {
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  assert.equal(response.headers.get("cross-origin-resource-policy"), "same-origin");
}

Deno.test("adminRoute() answers its method, for no cache to keep", async () => {
  const routes = routeThat(() => new Response("done", { headers: { "cache-control": "public" } }));
  const response = await call(routes, "/admin/thing", { method: "POST" });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), "done");
  assertUncached(response);
});

Deno.test.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"].map((method) => ({ method })))(
  "adminRoute() answers $method, which is not its method, with 405",
  async ({ method }) => {
    let ran = false;
    const routes = routeThat(() => {
      ran = true;
      return new Response();
    });
    const response = await call(routes, "/admin/thing", { method });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get("allow"), "POST");
    assertUncached(response);
    assert.equal((await response.json()).error.code, "method_not_allowed");
    assert.equal(ran, false);
  },
);

Deno.test("adminRoute() checks access before the method", async () => {
  const routes = routeThat(() => new Response());
  for (const method of ["GET", "POST", "DELETE"]) {
    const response = await call(routes, "/admin/thing", { method, peer: "192.0.2.7" });
    assert.equal(response.status, 403);
    assert.equal(response.headers.get("allow"), null);
    assertUncached(response);
    assert.equal((await response.json()).error.code, "admin_not_allowed");
  }
});

Deno.test("adminRoute() asks for the credential that is in force when the request comes", async () => {
  let auth = NONE;
  const routes = routeThat(() => new Response("done"), () => auth);
  const post = (headers: Record<string, string> = {}) =>
    call(routes, "/admin/thing", { method: "POST", headers });
  assert.equal((await post()).status, 200);
  auth = { ...NONE, method: "api_key", api_key: "k" };
  const refused = await post();
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get("www-authenticate"), 'ApiKey realm="admin"');
  assert.equal(refused.headers.get("x-request-id"), "the-request");
  assert.equal((await post({ "x-api-key": "k" })).status, 200);
});

Deno.test("adminRoute() turns refusals into uncached answers and leaves faults to the application", async () => {
  const refusing = routeThat(() => {
    throw new RouterError("not_found", "Nothing there");
  });
  const response = await call(refusing, "/admin/thing", { method: "POST" });
  assert.equal(response.status, 404);
  assert.equal((await response.json()).error.message, "Nothing there");
  assertUncached(response);
  const fault = new Error("a fault");
  const faulty = routeThat(() => Promise.reject(fault));
  await assert.rejects(
    call(faulty, "/admin/thing", { method: "POST" }),
    (error) => error === fault,
  );
});

Deno.test.each(
  [
    ["/admin/sessions/a-b", "a-b"],
    ["/admin/sessions/a%40b?x=/y", "a@b"],
    ["/admin/sessions/%EA%B0%80", "가"],
    ["/admin/sessions/%ff", null],
    ["/admin/sessions/", ""],
    ["/admin/sessions", null],
  ] as const,
)("pathSegment() reads the third segment of %s as %j", (path, expected) => {
  assert.equal(pathSegment(new Request(`http://localhost${path}`), 2), expected);
});
