import assert from "node:assert/strict";
import { answerHeaders, requestHeaders } from "../../src/dispatch/header_lists.ts";
import { Backend, type BackendConfig } from "../../src/routing/mod.ts";
import { backendConfig } from "../support/live_backends.ts";

const CLIENT = {
  "accept": "text/event-stream",
  "accept-encoding": "gzip",
  "accept-language": "ko",
  "authorization": "Bearer clients-secret",
  "content-length": "3",
  "content-type": "application/json",
  "cookie": "session=1",
  "forwarded": "for=1",
  "host": "router.test",
  "openai-beta": "assistants=v2",
  "openai-organization": "clients-org",
  "openai-project": "p",
  "openai-safety-identifier": "person-1",
  "origin": "https://page.test",
  "referer": "https://page.test/",
  "traceparent": "00-a-b-01",
  "tracestate": "k=v",
  "user-agent": "OpenAI/JS",
  "x-api-key": "clients-other-secret",
  "x-backend": "a",
  "x-forwarded-for": "192.0.2.1",
  "x-request-id": "sent",
  "x-stainless-lang": "js",
};

function sent(config: Partial<BackendConfig>, apiKey?: string): Record<string, string> {
  const headers = requestHeaders(new Backend(backendConfig("a", config)), {
    clientHeaders: new Headers(CLIENT),
    requestId: "r-1",
    userAgent: "realtime-router/1.0",
    apiKey,
  });
  return Object.fromEntries(headers);
}

const ALWAYS = {
  "accept": "text/event-stream",
  "accept-encoding": "identity",
  "content-type": "application/json",
  "openai-beta": "assistants=v2",
  "openai-safety-identifier": "person-1",
  "traceparent": "00-a-b-01",
  "tracestate": "k=v",
  "user-agent": "realtime-router/1.0",
  "x-request-id": "r-1",
};

Deno.test("requestHeaders(): of the client's headers only those on the list", () => {
  assert.deepEqual(sent({}), ALWAYS);
});

Deno.test("requestHeaders(): the backend's credential, organization and headers", () => {
  const config = { apiKey: "backends-secret", orgId: "o", headers: { "X-Team": "voice" } };
  assert.deepEqual(sent(config), {
    ...ALWAYS,
    "authorization": "Bearer backends-secret",
    "openai-organization": "o",
    "x-team": "voice",
  });
});

Deno.test("requestHeaders(): no traceparent where fetch adds one, or there would be two", () => {
  const headers = requestHeaders(new Backend(backendConfig("a")), {
    clientHeaders: new Headers(CLIENT),
    requestId: "r-1",
    userAgent: "realtime-router/1.0",
    apiKey: undefined,
    marked: true,
  });
  const { traceparent: _traceparent, ...others } = ALWAYS;
  assert.deepEqual(Object.fromEntries(headers), others);
});

Deno.test("requestHeaders(): a delivered credential goes before the configured one", () => {
  assert.equal(sent({ apiKey: "old" }, "new")["authorization"], "Bearer new");
});

Deno.test("requestHeaders(): a configured header never asks for an encoding", () => {
  assert.equal(sent({ headers: { "Accept-Encoding": "br" } })["accept-encoding"], "identity");
});

Deno.test("answerHeaders(): of the backend's headers only those on the list", () => {
  const upstream = new Headers({
    "access-control-allow-origin": "*",
    "alt-svc": "h3",
    "connection": "close",
    "content-length": "2",
    "content-type": "application/json",
    "date": "now",
    "location": "http://internal.test/",
    "openai-processing-ms": "5",
    "openai-version": "2020-10-01",
    "retry-after": "3",
    "server": "uvicorn",
    "set-cookie": "a=b",
    "strict-transport-security": "max-age=1",
    "x-powered-by": "x",
    "x-ratelimit-remaining-requests": "9",
    "x-request-id": "backends-own",
    "x-served-backend": "faked",
  });
  assert.deepEqual(Object.fromEntries(answerHeaders(upstream, { backend: "a" })), {
    "content-length": "2",
    "content-type": "application/json",
    "openai-processing-ms": "5",
    "openai-version": "2020-10-01",
    "retry-after": "3",
    "x-ratelimit-remaining-requests": "9",
    "x-served-backend": "a",
  });
});

Deno.test("answerHeaders(): a body that came encoded is said to be", () => {
  const upstream = new Headers({ "content-encoding": "gzip" });
  assert.equal(answerHeaders(upstream, { backend: "a" }).get("content-encoding"), "gzip");
});

function typeSent(said?: string): string | null {
  return requestHeaders(new Backend(backendConfig("a")), {
    clientHeaders: new Headers(said === undefined ? {} : { "content-type": said }),
    requestId: "r-1",
    userAgent: "realtime-router/1.0",
    apiKey: undefined,
  }).get("content-type");
}

Deno.test.each([
  "application/json",
  "application/json; charset=utf-8",
  'Application/JSON;charset="UTF-8"',
  "application/vnd.team.chat+json",
])("requestHeaders(): the client's own content-type %s", (said) => {
  assert.equal(typeSent(said), said);
});

Deno.test.each([
  undefined,
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/json; charset=utf-8; charset=utf-16",
  "application/json, text/plain",
  "application/jsonx",
  "application/+json",
])(
  "requestHeaders(): JSON for a content-type under which another model could be read: %s",
  (said) => {
    assert.equal(typeSent(said), "application/json");
  },
);
