import assert from "node:assert/strict";
import { withCors } from "../../src/dispatch/cors_route.ts";
import { type Route, RouterError } from "../../src/http/mod.ts";
import { compileOrigins } from "../../src/origin/mod.ts";
import { DispatchScenario } from "../support/dispatch_scenario.ts";
import { EdgeFixture } from "../support/edge_fixture.ts";

const ORIGIN = "https://console.test";

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly handled: number;
}

async function ask(
  init: RequestInit,
  { enabled = true, fails }: { readonly enabled?: boolean; readonly fails?: Error } = {},
): Promise<Answered> {
  let handled = 0;
  const inner: Route = {
    path: "/v1/models",
    handle: () => {
      handled++;
      if (fails !== undefined) throw fails;
      return new Response("ok");
    },
  };
  const matcher = compileOrigins([ORIGIN]).matcher;
  const scenario = new DispatchScenario({ backends: [], cors: { enabled, matcher } });
  const { settings } = scenario.parts(() => Promise.reject(new Error("no backend")));
  const fixture = new EdgeFixture();
  const { handle } = withCors(inner, settings);
  try {
    const response = await handle({
      request: new Request("http://router.test/v1/models", init),
      connection: fixture.connection,
      requestId: "r",
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), handled };
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
    return { status: error.status, headers: { ...error.headers }, handled };
  } finally {
    await fixture.finish();
  }
}

function from(origin: string, more: Readonly<Record<string, string>> = {}): RequestInit {
  return { headers: { origin, ...more } };
}

Deno.test("withCors() adds its headers to answers", async () => {
  const { headers } = await ask(from(ORIGIN));
  assert.equal(headers["access-control-allow-origin"], ORIGIN);
  assert.equal(headers["access-control-expose-headers"], "x-request-id, x-served-backend");
  assert.equal(headers["vary"], "Origin");
});

Deno.test("withCors() adds them to refusals, beside the refusal's own", async () => {
  const fails = new RouterError("rate_limit_exceeded", "m", { headers: { "retry-after": "3" } });
  const { status, headers } = await ask(from(ORIGIN), { fails });
  assert.equal(status, 429);
  assert.equal(headers["access-control-allow-origin"], ORIGIN);
  assert.equal(headers["retry-after"], "3");
});

Deno.test("withCors() leaves other failures as they are", async () => {
  const fails = new TypeError("a bug");
  await assert.rejects(ask(from(ORIGIN), { fails }), fails);
});

Deno.test("withCors() refuses no origin, and says nothing to one that is not listed", async () => {
  const { status, headers, handled } = await ask(from("https://evil.test"));
  assert.deepEqual([status, handled], [200, 1]);
  assert.equal(headers["access-control-allow-origin"], undefined);
  assert.equal(headers["vary"], "Origin");
});

Deno.test("withCors() answers preflights itself", async () => {
  const preflight = {
    method: "OPTIONS",
    ...from(ORIGIN, { "access-control-request-method": "POST" }),
  };
  const { status, headers, handled } = await ask(preflight);
  assert.deepEqual([status, handled], [204, 0]);
  assert.equal(headers["access-control-allow-methods"], "GET, POST, OPTIONS");
  assert.equal(headers["access-control-allow-headers"], "authorization, content-type");
  assert.equal(headers["access-control-max-age"], "3600");
});

Deno.test.each([
  ["an OPTIONS request that is none", true, { method: "OPTIONS", ...from(ORIGIN) }],
  [
    "a preflight while CORS is off",
    false,
    { method: "OPTIONS", ...from(ORIGIN, { "access-control-request-method": "POST" }) },
  ],
])("withCors() passes on %s", async (_name, enabled, init) => {
  assert.equal((await ask(init, { enabled })).handled, 1);
});
