import assert from "node:assert/strict";
import { metricsRoute } from "../../src/http/mod.ts";
import { AppFixture } from "./app_fixture.ts";

function setUp(authToken = "") {
  const accepts: string[] = [];
  const route = metricsRoute({
    path: "/numbers",
    authToken,
    render: (accept) => {
      accepts.push(accept);
      return Promise.resolve({ contentType: "text/plain; version=0.0.4", text: "up 1\n" });
    },
  });
  return { app: new AppFixture([route], { host: "good" }), accepts };
}

Deno.test("metricsRoute() serves what was rendered for the Accept header, under any Host", async () => {
  const { app, accepts } = setUp();
  const accept = "application/openmetrics-text";
  const response = await app.fetch("/numbers", { headers: { accept, host: "10.0.0.7" } });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4");
  assert.equal(await response.text(), "up 1\n");
  await (await app.fetch("/numbers")).text();
  assert.deepEqual(accepts, [accept, ""]);
});

Deno.test.each(
  [
    [undefined, 401],
    ["", 401],
    ["token", 401],
    ["Basic token", 401],
    ["Bearer wrong", 401],
    ["Bearer toke", 401],
    ["Bearer token2", 401],
    ["Bearer TOKEN", 401],
    ["Bearer token, Bearer x", 401],
    ["Bearer token", 200],
  ] as const,
)("metricsRoute() with a token answers Authorization %j with %d", async (authorization, status) => {
  const { app, accepts } = setUp("token");
  const headers = authorization === undefined ? {} : { authorization };
  const response = await app.fetch("/numbers", { headers });
  assert.equal(response.status, status);
  const text = await response.text();
  assert.equal(accepts.length, status === 200 ? 1 : 0);
  if (status === 200) return;
  assert.equal(response.headers.get("www-authenticate"), "Bearer");
  assert.equal(JSON.parse(text).error.code, "invalid_api_key");
});

Deno.test("metricsRoute() answers other methods with 405", async () => {
  const { app } = setUp();
  const response = await app.fetch("/numbers", { method: "POST" });
  await response.text();
  assert.equal(response.status, 405);
  assert.equal(response.headers.get("allow"), "GET, HEAD");
});
