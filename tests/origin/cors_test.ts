import assert from "node:assert/strict";
import { compileOrigins, corsHeaders, type CorsOptions } from "../../src/origin/mod.ts";

function options(changes: Partial<CorsOptions> = {}): CorsOptions {
  return {
    enabled: true,
    matcher: compileOrigins(["https://a.test", "http://localhost:*"]).matcher,
    allowMethods: ["GET", "POST", "OPTIONS"],
    allowHeaders: ["authorization", "content-type"],
    exposeHeaders: ["x-request-id"],
    allowCredentials: false,
    maxAgeMs: 3_600_000,
    ...changes,
  };
}

const any = compileOrigins(["*"]).matcher;

function simple(...originValues: string[]) {
  return { method: "POST", originValues, requestMethod: null };
}

function preflight(...originValues: string[]) {
  return { method: "OPTIONS", originValues, requestMethod: "POST" };
}

Deno.test("corsHeaders() adds nothing when CORS is off", () => {
  const answer = corsHeaders(preflight("https://a.test"), options({ enabled: false }));
  assert.deepEqual(answer, { preflight: false, headers: {} });
});

Deno.test("corsHeaders() answers a listed origin", () => {
  assert.deepEqual(corsHeaders(simple("https://a.test"), options()), {
    preflight: false,
    headers: {
      "vary": "Origin",
      "access-control-allow-origin": "https://a.test",
      "access-control-expose-headers": "x-request-id",
    },
  });
});

Deno.test("corsHeaders() answers a preflight", () => {
  assert.deepEqual(corsHeaders(preflight("http://localhost:5173"), options()), {
    preflight: true,
    headers: {
      "vary": "Origin",
      "access-control-allow-origin": "http://localhost:5173",
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": "3600",
    },
  });
});

Deno.test.each(
  [
    ["absent", []],
    ["not listed", ["https://evil.test"]],
    ["null", ["null"]],
    ["empty", [""]],
    ["with a path", ["https://a.test/"]],
    ["two lines", ["https://a.test", "https://a.test"]],
    ["two lines joined", ["https://a.test, https://a.test"]],
    ["a prefix", ["https://a.test.evil.test"]],
  ] as const,
)("corsHeaders() leaves everything but Vary out when Origin is %s", (_name, origins) => {
  const { headers } = corsHeaders(simple(...origins), options());
  assert.deepEqual(headers, { vary: "Origin" });
});

Deno.test("corsHeaders() marks a preflight of a page that is not listed, without allowing it", () => {
  const answer = corsHeaders(preflight("https://evil.test"), options());
  assert.deepEqual(answer, { preflight: true, headers: { vary: "Origin" } });
});

Deno.test("corsHeaders() takes a plain OPTIONS for no preflight", () => {
  const request = { ...preflight("https://a.test"), requestMethod: null };
  assert.equal(corsHeaders(request, options()).preflight, false);
});

Deno.test("corsHeaders() allows credentials to a named origin", () => {
  const { headers } = corsHeaders(simple("https://a.test"), options({ allowCredentials: true }));
  assert.equal(headers["access-control-allow-credentials"], "true");
  assert.equal(headers["access-control-allow-origin"], "https://a.test");
});

Deno.test("corsHeaders() never allows credentials under * alone", () => {
  const { headers } = corsHeaders(
    simple("https://anything.test"),
    options({ matcher: any, allowCredentials: true }),
  );
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["access-control-allow-credentials"], undefined);
});

Deno.test("corsHeaders() does not answer null under *", () => {
  const { headers } = corsHeaders(simple("null"), options({ matcher: any }));
  assert.deepEqual(headers, { vary: "Origin" });
});

Deno.test("corsHeaders() leaves empty lists out", () => {
  const { headers } = corsHeaders(
    preflight("https://a.test"),
    options({ allowHeaders: [], maxAgeMs: 1_999 }),
  );
  assert.equal("access-control-allow-headers" in headers, false);
  assert.equal(headers["access-control-max-age"], "1");
});
