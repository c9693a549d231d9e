import assert from "node:assert/strict";
import { type Route, RouterError } from "../../src/http/mod.ts";
import { settled } from "../support/settled.ts";
import { AppFixture, UUID } from "./app_fixture.ts";

const HELLO: Route = { path: "/hello", handle: () => new Response("hello") };

Deno.test("createApp() answers a route under every method, with its request and connection", async () => {
  const calls: unknown[] = [];
  const app = new AppFixture([{
    path: "/hello",
    handle: ({ request, connection, requestId }) => {
      calls.push([request.method, connection, requestId]);
      return new Response("hello");
    },
  }]);
  for (const method of ["GET", "POST", "DELETE", "PROPFIND"]) {
    const response = await app.fetch("/hello?query", { method, headers: { "x-request-id": "r" } });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "hello");
    assert.deepEqual(calls.pop(), [method, app.connection, "r"]);
  }
});

Deno.test.each(
  [["/"], ["/unknown"], ["/hello/"], ["/Hello"], ["/hello/more"], ["//hello"], ["/%2e/x"]] as const,
)("createApp() answers %s with 404", async (path) => {
  const app = new AppFixture([HELLO]);
  const [status, body] = await app.refusal(path, { method: "POST" });
  assert.equal(status, 404);
  assert.deepEqual(body, {
    error: {
      message: "Unknown path",
      type: "invalid_request_error",
      code: "not_found",
      param: null,
    },
  });
});

Deno.test("createApp() checks the Host before anything else, unknown paths included", async () => {
  const app = new AppFixture([HELLO, { ...HELLO, path: "/probe", anyHost: true }], {
    host: "good",
  });
  for (
    const [path, host, status] of [
      ["/hello", "good", 200],
      ["/hello", "evil", 403],
      ["/unknown", "good", 404],
      ["/unknown", "evil", 403],
      ["/probe", "good", 200],
      ["/probe", "evil", 200],
    ] as const
  ) {
    const response = await app.fetch(path, { headers: { host } });
    assert.equal(response.status, status, `${path} of ${host}`);
    if (status === 403) assert.equal((await response.json()).error.code, "host_not_allowed");
    else await response.text();
  }
  const without = await app.refusal("/hello");
  assert.equal(without[0], 403);
});

Deno.test("createApp() gives every answer an x-request-id, the client's own if it is sane", async () => {
  const app = new AppFixture([
    HELLO,
    {
      path: "/refused",
      handle: () => {
        throw new RouterError("draining", "no");
      },
    },
  ]);
  for (const path of ["/hello", "/refused", "/unknown"]) {
    const kept = await app.fetch(path, { headers: { "x-request-id": "my-id.1" } });
    assert.equal(kept.headers.get("x-request-id"), "my-id.1");
    await kept.text();
    for (const sent of [undefined, "not sane", "x".repeat(129)]) {
      const headers = sent === undefined ? {} : { "x-request-id": sent };
      const made = await app.fetch(path, { headers });
      assert.match(made.headers.get("x-request-id") ?? "", UUID);
      await made.text();
    }
  }
});

Deno.test("createApp() makes an id of its own for routes that upgrade", async () => {
  const seen: string[] = [];
  const app = new AppFixture([{
    path: "/v1/realtime",
    upgrades: true,
    handle: ({ requestId }) => {
      seen.push(requestId);
      throw new RouterError("upgrade_required", "no");
    },
  }]);
  const headers = { "x-request-id": "my-id" };
  const response = await app.fetch("/v1/realtime", { headers });
  await response.text();
  const id = response.headers.get("x-request-id") ?? "";
  assert.match(id, UUID);
  assert.deepEqual(seen, [id]);
  app.connection.kill();
});

Deno.test("createApp() ends the connection of a refused upgrade, and of no other request", async () => {
  const refused = () => {
    throw new RouterError("draining", "no");
  };
  const app = new AppFixture([
    { path: "/v1/realtime", upgrades: true, handle: refused },
    { path: "/other", handle: refused },
  ]);
  const closes = async (path: string) => {
    const { headers } = await app.fetch(path);
    await settled();
    return [headers.get("connection"), app.client.otherEnd];
  };
  assert.deepEqual(await closes("/other"), [null, undefined]);
  assert.deepEqual(await closes("/v1/realtime"), ["close", "fin"]);
  app.connection.kill();
});

Deno.test("createApp() leaves an x-request-id that a route has set", async () => {
  const app = new AppFixture([{
    path: "/own",
    handle: () => new Response(null, { headers: { "x-request-id": "own" } }),
  }]);
  assert.equal((await app.fetch("/own")).headers.get("x-request-id"), "own");
});

Deno.test("createApp() answers with what a route throws", async () => {
  const app = new AppFixture([{
    path: "/refused",
    handle: () => {
      throw new RouterError("missing_model", "Which?", { param: "model", headers: { "x-y": "z" } });
    },
  }]);
  const response = await app.fetch("/refused");
  assert.equal(response.status, 400);
  assert.equal(response.headers.get("x-y"), "z");
  assert.equal((await response.json()).error.param, "model");
  assert.deepEqual(app.failed, []);
});

Deno.test("createApp() hides what is not a refusal and tells the observer of it", async () => {
  const thrown = new TypeError("secret of 10.0.0.5");
  const routes: Route[] = [
    {
      path: "/throws",
      handle: () => {
        throw thrown;
      },
    },
    { path: "/rejects", handle: () => Promise.reject(thrown) },
  ];
  for (const { path } of routes) {
    const app = new AppFixture(routes);
    const response = await app.fetch(path, { headers: { "x-request-id": "r" } });
    assert.equal(response.status, 500);
    const text = await response.text();
    assert.equal(JSON.parse(text).error.code, "internal_error");
    assert.doesNotMatch(text, /secret|10\.0|TypeError|at /);
    assert.equal(response.headers.get("x-request-id"), "r");
    const [failure] = app.failed;
    assert.equal(failure?.[0].cause, thrown);
    assert.equal(failure?.[1], "r");
  }
});

Deno.test("createApp() tells the observer of every answer by its route, never by its path", async () => {
  const app = new AppFixture([
    {
      path: "/hello/:name",
      handle: () => {
        app.nowMs += 7;
        return new Response("hello", { status: 202 });
      },
    },
    {
      path: "/refused",
      handle: () => {
        throw new RouterError("draining", "no");
      },
    },
  ]);
  for (const path of ["/hello/you", "/refused", "/unknown/secret"]) {
    await (await app.fetch(path, { method: "POST" })).text();
  }
  assert.deepEqual(app.answered, [
    { endpoint: "/hello/:name", method: "POST", status: 202, durationMs: 7 },
    { endpoint: "/refused", method: "POST", status: 503, durationMs: 0 },
    { endpoint: "other", method: "POST", status: 404, durationMs: 0 },
  ]);
});

Deno.test("createApp() answers HEAD as GET, and leaves it to the server to send no body", async () => {
  const app = new AppFixture([HELLO]);
  for (const path of ["/hello", "/unknown"]) {
    const [get, head] = [await app.fetch(path), await app.fetch(path, { method: "HEAD" })];
    assert.equal(head.status, get.status);
    assert.match(head.headers.get("x-request-id") ?? "", UUID);
    assert.equal((await head.text()).length, (await get.text()).length);
  }
});
