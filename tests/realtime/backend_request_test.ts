import assert from "node:assert/strict";
import { backendRequest, type BackendRequestOptions } from "../../src/realtime/backend_request.ts";
import { Backend, type BackendConfig } from "../../src/routing/mod.ts";
import { backendConfig } from "../support/live_backends.ts";

const REQUEST_ID = "6f2b0c5e-0000-4000-8000-000000000001";

function request(
  config: Partial<BackendConfig> = {},
  options: Partial<BackendRequestOptions> = {},
) {
  return backendRequest(new Backend(backendConfig("b", config)), {
    backendPath: "/v1/realtime",
    userAgent: "realtime-router/1",
    requestId: REQUEST_ID,
    dispatchModel: "m",
    rawQuery: "model=m",
    clientHeaders: new Headers(),
    ...options,
  });
}

/** The headers of a request besides the two that every one has. */
function others(
  config: Partial<BackendConfig> = {},
  options: Partial<BackendRequestOptions> = {},
): Record<string, string> {
  const { "user-agent": userAgent, "x-request-id": requestId, ...rest } = Object.fromEntries(
    request(config, options).headers,
  );
  assert.equal(userAgent, "realtime-router/1");
  assert.equal(requestId, REQUEST_ID);
  return rest;
}

const CLIENT_HEADERS = {
  "accept-language": "ko",
  "api-key": "client secret",
  "authorization": "Bearer client secret",
  "baggage": "a=b",
  "connection": "Upgrade",
  "cookie": "session=client secret",
  "forwarded": "for=192.0.2.1",
  "host": "router.test",
  "openai-beta": "realtime=v1",
  "openai-organization": "client org",
  "openai-project": "client project",
  "openai-safety-identifier": "user-1",
  "origin": "https://router.test",
  "proxy-authorization": "Basic client secret",
  "referer": "https://router.test/page",
  "sec-websocket-extensions": "permessage-deflate",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-protocol": "realtime, openai-insecure-api-key.client",
  "sec-websocket-version": "13",
  "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  "tracestate": "a=1",
  "upgrade": "websocket",
  "user-agent": "client/1",
  "x-api-key": "client secret",
  "x-backend": "b",
  "x-forwarded-for": "192.0.2.1",
  "x-request-id": "client's own",
};

Deno.test("backendRequest() hands on four headers of the client's and no other", () => {
  assert.deepEqual(others({}, { clientHeaders: new Headers(CLIENT_HEADERS) }), {
    "openai-beta": "realtime=v1",
    "openai-safety-identifier": "user-1",
    "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    "tracestate": "a=1",
  });
});

Deno.test("backendRequest() puts the session's traceparent in the place of the client's", () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
  const clientHeaders = new Headers({ "traceparent": CLIENT_HEADERS.traceparent });
  assert.deepEqual(others({}, { traceparent, clientHeaders }), { traceparent });
  assert.deepEqual(others({}, { traceparent }), { traceparent });
});

Deno.test("backendRequest() adds none that the client did not send", () => {
  assert.deepEqual(others(), {});
});

Deno.test.each(
  [
    ["bearer", "k", undefined, { authorization: "Bearer k" }],
    ["api-key", "k", undefined, { "api-key": "k" }],
    ["none", "k", undefined, {}],
    ["bearer", undefined, undefined, {}],
    ["api-key", undefined, undefined, {}],
    ["bearer", "k", "delivered", { authorization: "Bearer delivered" }],
    ["api-key", "k", "delivered", { "api-key": "delivered" }],
    ["bearer", undefined, "delivered", { authorization: "Bearer delivered" }],
    ["none", "k", "delivered", {}],
  ] as const,
)("backendRequest() with auth %s, the key %s and %s delivered", (
  realtimeAuth,
  apiKey,
  delivered,
  expected,
) => {
  const clientHeaders = new Headers({ authorization: "Bearer client", "api-key": "client" });
  assert.deepEqual(
    others({ realtimeAuth, apiKey }, { apiKey: delivered, clientHeaders }),
    expected,
  );
});

Deno.test("backendRequest() names the backend's organization, not the client's", () => {
  const clientHeaders = new Headers({ "openai-organization": "client org" });
  assert.deepEqual(others({ orgId: "org" }, { clientHeaders }), { "openai-organization": "org" });
  assert.deepEqual(others({}, { clientHeaders }), {});
});

Deno.test("backendRequest() lets configured headers win, in whatever case", () => {
  const headers = {
    "Authorization": "Custom a",
    "OpenAI-Beta": "configured",
    "openai-organization": "configured",
    "X-Extra": "x",
  };
  const clientHeaders = new Headers({ "openai-beta": "client's" });
  assert.deepEqual(others({ apiKey: "k", orgId: "org", headers }, { clientHeaders }), {
    "authorization": "Custom a",
    "openai-beta": "configured",
    "openai-organization": "configured",
    "x-extra": "x",
  });
  const names = request({ apiKey: "k", headers }).headers.map(([name]) => name);
  assert.equal(new Set(names).size, names.length);
});

Deno.test.each(
  [
    ["model=m", "real", "model=real"],
    ["a=1&model=x&b=%20+", "m", "a=1&model=m&b=%20+"],
    ["model=x&model=x&%6dodel=x", "m", "model=m"],
    ["model=x", "a b&c=d#/é", "model=a%20b%26c%3Dd%23%2F%C3%A9"],
    ["intent=transcription", "m", "intent=transcription&model=m"],
    ["", "m", "model=m"],
    ["model=m&api_key=mine", "m", "model=m&api_key=mine"],
  ] as const,
)("backendRequest() makes %j with the model %j the query %j", (rawQuery, dispatchModel, query) => {
  const { path } = request({}, { rawQuery, dispatchModel });
  assert.equal(path, `/v1/realtime?${query}`);
});

Deno.test.each(
  [
    ["http://h.test:8000", undefined, false, "h.test", 8000, "h.test:8000", "/v1/realtime"],
    ["wss://h.test", undefined, true, "h.test", 443, "h.test", "/v1/realtime"],
    ["https://h.test/openai/v1", undefined, true, "h.test", 443, "h.test", "/openai/v1/realtime"],
    ["ws://[::1]:9/x", "/own/path", false, "::1", 9, "[::1]:9", "/own/path"],
  ] as const,
)(
  "backendRequest() goes to %s (%s)",
  (url, realtimePath, secure, hostname, port, hostHeader, path) => {
    const target = request({ url, realtimePath });
    assert.deepEqual(
      [target.secure, target.hostname, target.port, target.hostHeader, target.path],
      [secure, hostname, port, hostHeader, `${path}?model=m`],
    );
  },
);
