import assert from "node:assert/strict";
import { httpTarget, httpUrl, parseBackendUrl, realtimeTarget } from "../../src/routing/mod.ts";

const backendPath = "/v1/realtime";

Deno.test.each(
  [
    ["http://10.0.0.5:8000", false, "10.0.0.5", 8000, "10.0.0.5:8000"],
    ["ws://10.0.0.5:8000", false, "10.0.0.5", 8000, "10.0.0.5:8000"],
    ["https://api.test", true, "api.test", 443, "api.test"],
    ["wss://api.test", true, "api.test", 443, "api.test"],
    ["https://api.test:443", true, "api.test", 443, "api.test"],
    ["wss://api.test:443", true, "api.test", 443, "api.test"],
    ["http://api.test:80", false, "api.test", 80, "api.test"],
    ["ws://api.test", false, "api.test", 80, "api.test"],
    ["http://api.test:443", false, "api.test", 443, "api.test:443"],
    ["https://api.test:80", true, "api.test", 80, "api.test:80"],
    ["http://[::1]:8000", false, "::1", 8000, "[::1]:8000"],
    ["wss://[2001:db8::1]", true, "2001:db8::1", 443, "[2001:db8::1]"],
    ["HTTP://API.Test:8000", false, "api.test", 8000, "api.test:8000"],
  ] as const,
)("realtimeTarget(%s) connects by TLS: %s to %s port %d", (url, secure, hostname, port, host) => {
  assert.deepEqual(realtimeTarget(url, { backendPath }), {
    secure,
    hostname,
    port,
    path: "/v1/realtime",
    hostHeader: host,
  });
});

Deno.test.each(
  [
    ["http://h", "/v1/realtime", "/v1/realtime"],
    ["http://h/", "/v1/realtime", "/v1/realtime"],
    ["http://h/v1", "/v1/realtime", "/v1/realtime"],
    ["http://h/v1/", "/v1/realtime", "/v1/realtime"],
    ["http://h/v1//", "/v1/realtime", "/v1/realtime"],
    ["http://h/openai/v1", "/v1/realtime", "/openai/v1/realtime"],
    ["http://h/openai", "/v1/realtime", "/openai/v1/realtime"],
    ["http://h/api-ws/v1", "/v1/realtime", "/api-ws/v1/realtime"],
    ["http://h/v1/openai", "/v1/realtime", "/v1/openai/v1/realtime"],
    ["http://h/v2", "/v1/realtime", "/v2/v1/realtime"],
    ["http://h/xv1", "/v1/realtime", "/xv1/v1/realtime"],
    ["http://h/v1", "/v1x/realtime", "/v1/v1x/realtime"],
    ["http://h/v1", "/v1", "/v1"],
    ["http://h/v1", "/realtime", "/v1/realtime"],
    ["http://h/realtime", "/realtime", "/realtime/realtime"],
    ["http://h/v1beta", "/v1beta/realtime", "/v1beta/realtime"],
    ["http://h", "/a b", "/a%20b"],
    ["http://h", "//evil.test/x", "//evil.test/x"],
  ] as const,
)("realtimeTarget(%s) joined with %s is %s", (url, path, expected) => {
  const target = realtimeTarget(url, { backendPath: path });
  assert.equal(target.path, expected);
  assert.equal(target.hostname, "h");
});

Deno.test("realtimeTarget() lets an override replace both paths", () => {
  const paths = { backendPath, overridePath: "/openai/v1/realtime" };
  assert.equal(realtimeTarget("https://h/v1", paths).path, "/openai/v1/realtime");
});

Deno.test.each(
  [
    ["wss://h/v1", "/v1/models", "https://h/v1/models"],
    ["ws://h:8000", "/health", "http://h:8000/health"],
    ["http://[::1]:8000/base", "/health", "http://[::1]:8000/base/health"],
    ["https://h/v1/", "/v1/health/ready", "https://h/v1/health/ready"],
  ] as const,
)("httpTarget(%s) with %s is %s", (url, path, expected) => {
  assert.equal(httpUrl(httpTarget(url, path)), expected);
});

Deno.test.each([
  ["h:8000"],
  ["/v1"],
  [""],
  ["ftp://h"],
  ["file:///etc/passwd"],
  ["http://"],
  ["http://user:SECRET@h"],
  ["http://user@h"],
  ["http://:SECRET@h"],
  ["http://h/?key=SECRET"],
  ["http://h?"],
  ["http://h#"],
  ["http://h/#x"],
])("parseBackendUrl() refuses %j without repeating it", (url) => {
  assert.throws(() => parseBackendUrl(url), (error) => {
    assert.ok(error instanceof TypeError);
    assert.ok(!error.message.includes("SECRET"));
    return true;
  });
});

Deno.test.each([["v1/realtime"], [""], ["/v1/realtime?x=1"], ["/v1#x"], ["http://evil.test/"]])(
  "realtimeTarget() refuses the path %j",
  (path) => {
    assert.throws(() => realtimeTarget("http://h", { backendPath: path }), TypeError);
    assert.throws(() => realtimeTarget("http://h", { backendPath, overridePath: path }), TypeError);
  },
);
