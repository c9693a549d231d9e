/** Every refusal of an upgrade as raw bytes: complete, prompt, and before any backend hears of it. */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { type RawResponse, requestRaw, upgradeRequest } from "../support/raw_client.ts";
import { MODEL, startTestRouter } from "../support/test_router.ts";

type Headers = Readonly<Record<string, string | null>>;

interface Row {
  readonly name: string;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Headers;
  readonly status: number;
  readonly code: string;
  readonly type?: string;
  readonly answerHeaders?: Readonly<Record<string, string>>;
}

const KEY = "test-key-of-the-console";
const YAML = [
  "api_keys:",
  "  mode: blocking",
  "  api_keys:",
  `    - { key: "${KEY}", id: console }`,
  '    - { key: "test-key-that-is-off", id: "off", enabled: false }',
  '    - { key: "test-key-that-is-old", id: old, expires_at: "2020-01-01T00:00:00Z" }',
  '    - { key: "test-key-for-one-model", id: one, allowed_models: [other-model] }',
  '    - { key: "test-key-elsewhere", id: elsewhere, allowed_backends: [nowhere] }',
  '    - { key: "test-key-that-is-slow", id: slow, rate_limit: 1 }',
].join("\n");

const bearer = (key: string): Headers => ({ authorization: `Bearer ${key}` });
const UPGRADE = { "upgrade": "websocket", "sec-websocket-version": "13" };
const CHALLENGE = { "www-authenticate": "Bearer" };

const ROWS: readonly Row[] = [
  { name: "an unknown path", target: "/v1/other", status: 404, code: "not_found" },
  {
    name: "a trailing slash",
    target: `/v1/realtime/?model=${MODEL}`,
    status: 404,
    code: "not_found",
  },
  ...["POST", "PUT", "HEAD", "OPTIONS"].map((method) => ({
    name: method,
    method,
    status: 405,
    code: "method_not_allowed",
    answerHeaders: { allow: "GET" },
  })),
  {
    name: "POST with a body of length 0",
    method: "POST",
    headers: { "content-length": "0" },
    status: 405,
    code: "method_not_allowed",
    answerHeaders: { allow: "GET" },
  },
  {
    name: "no key",
    headers: { authorization: null },
    status: 401,
    code: "missing_api_key",
    answerHeaders: CHALLENGE,
  },
  ...[
    ["a wrong key", "Bearer wrong", "invalid_api_key"],
    ["an empty key", "Bearer ", "missing_api_key"],
    ["another scheme", "Basic dTpw", "missing_api_key"],
    ["a disabled key", "Bearer test-key-that-is-off", "invalid_api_key"],
    ["an expired key", "Bearer test-key-that-is-old", "expired_api_key"],
  ].map(([name, authorization, code]) => ({
    name: name!,
    headers: { authorization: authorization! },
    status: 401,
    code: code!,
    type: "authentication_error",
    answerHeaders: CHALLENGE,
  })),
  {
    name: "a key in the query",
    target: `/v1/realtime?model=${MODEL}&api_key=${KEY}`,
    headers: { authorization: null },
    status: 401,
    code: "missing_api_key",
  },
  {
    name: "a key in a subprotocol",
    headers: {
      "authorization": null,
      "sec-websocket-protocol": `realtime, openai-insecure-api-key.${KEY}`,
    },
    status: 401,
    code: "missing_api_key",
  },
  {
    name: "no upgrade",
    headers: { upgrade: null },
    status: 426,
    code: "upgrade_required",
    answerHeaders: UPGRADE,
  },
  {
    name: "an upgrade to something else",
    headers: { upgrade: "h2c" },
    status: 426,
    code: "upgrade_required",
    answerHeaders: UPGRADE,
  },
  ...["GET", "POST"].map((method) => ({
    name: `${method} that offers HTTP/2, with a body of length 0`,
    method,
    headers: {
      ...{ "upgrade": "h2c", "connection": "Upgrade, HTTP2-Settings", "http2-settings": "" },
      "content-length": "0",
    },
    status: method === "GET" ? 426 : 405,
    code: method === "GET" ? "upgrade_required" : "method_not_allowed",
    answerHeaders: method === "GET" ? UPGRADE : { allow: "GET" },
  })),
  ...["8", "7", "12", "13, 8", null].map((version) => ({
    name: `version ${version}`,
    headers: { "sec-websocket-version": version },
    status: 426,
    code: "upgrade_required",
    answerHeaders: UPGRADE,
  })),
  {
    name: "no Connection: upgrade",
    headers: { connection: "keep-alive" },
    status: 400,
    code: "invalid_handshake",
  },
  ...[null, "", "short", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZSE=", "====", "a b"].map(
    (key) => ({
      name: `handshake key ${key}`,
      headers: { "sec-websocket-key": key },
      status: 400,
      code: "invalid_handshake",
    }),
  ),
  ...["https://evil.test", "null", "", "http://127.0.0.1:1@evil.test", "https://evil.test, x"].map(
    (origin) => ({
      name: `Origin ${JSON.stringify(origin)}`,
      headers: { origin },
      status: 403,
      code: "origin_not_allowed",
      type: "permission_error",
    }),
  ),
  { name: "no model", target: "/v1/realtime", status: 400, code: "missing_model" },
  { name: "an empty model", target: "/v1/realtime?model=", status: 400, code: "missing_model" },
  {
    name: "two models",
    target: `/v1/realtime?model=${MODEL}&model=other`,
    status: 400,
    code: "invalid_model_parameter",
  },
  {
    name: "two models, one of them with an encoded name",
    target: `/v1/realtime?model=${MODEL}&%6dodel=other`,
    status: 400,
    code: "invalid_model_parameter",
  },
  {
    name: "a model that the key may not use",
    headers: bearer("test-key-for-one-model"),
    status: 403,
    code: "model_not_allowed",
    type: "permission_error",
  },
  {
    name: "an unknown model",
    target: "/v1/realtime?model=no%2Fsuch+one",
    status: 404,
    code: "model_not_found",
  },
  {
    name: "a model without audio",
    target: "/v1/realtime?model=text-only",
    status: 400,
    code: "audio_not_supported",
  },
  {
    name: "a key whose backends do not serve the model",
    headers: bearer("test-key-elsewhere"),
    status: 403,
    code: "backend_not_allowed",
    type: "permission_error",
  },
];

Deno.test("refusals: status, type, code and headers, complete on the wire, nothing dialled", async (t) => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({
    yaml: [
      YAML,
      `backends: [{ name: b0, url: "${fake.url}", models: [${MODEL}, text-only], model_configs: [`,
      `  { id: ${MODEL}, metadata: { capabilities: [audio] } },`,
      "  { id: text-only, metadata: { capabilities: [text] } }] }]",
    ].join("\n"),
  });
  for (const path of ["/v1/realtime", "/realtime"]) {
    for (const row of ROWS) {
      await t.step(`${path}: ${row.name}`, async () => {
        const target = (row.target ?? `/v1/realtime?model=${MODEL}`).replace(
          /^\/v1\/realtime/,
          path,
        );
        const response = await requestRaw(
          router.port,
          upgradeRequest({
            port: router.port,
            method: row.method ?? "GET",
            target,
            headers: { ...bearer(KEY), ...row.headers },
          }),
        );
        assertRefusal(response, row);
      });
    }
  }
  assert.equal(fake.connectionCount, 0);
  assert.equal(router.router.permitsHeld(), 0);
});

function assertRefusal(response: RawResponse, row: Row): void {
  assert.equal(response.status, row.status);
  assert.match(response.headers.get("x-request-id") ?? "", /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  for (const [name, value] of Object.entries(row.answerHeaders ?? {})) {
    assert.equal(response.headers.get(name), value);
  }
  const length = Number(response.headers.get("content-length"));
  if (row.method === "HEAD") return;
  assert.equal(new TextEncoder().encode(response.body).length, length);
  const { error } = JSON.parse(response.body);
  assert.equal(error.code, row.code);
  assert.deepEqual(Object.keys(error), ["message", "type", "code", "param"]);
  if (row.type !== undefined) assert.equal(error.type, row.type);
  assert.ok(!response.body.includes("127.0.0.1"), "a host name in the body");
}

Deno.test("refusals: the caller's own string is shown for an unknown model", async () => {
  await using router = await startTestRouter();
  const target = "/v1/realtime?model=No%2FSuch+Model-Q8_0";
  const request = upgradeRequest({ port: router.port, target });
  const response = await requestRaw(router.port, request);
  assert.match(JSON.parse(response.body).error.message, /'No\/Such Model-Q8_0'/);
});

Deno.test("refusals: rate_limit counts upgrades, and says when to come again", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url], yaml: YAML });
  const request = upgradeRequest({
    port: router.port,
    target: "/v1/realtime?model=nothing",
    headers: bearer("test-key-that-is-slow"),
  });
  assert.equal((await requestRaw(router.port, request)).status, 404);
  const refused = await requestRaw(router.port, request);
  assert.equal(refused.status, 429);
  assert.equal(JSON.parse(refused.body).error.type, "rate_limit_error");
  const seconds = Number(refused.headers.get("retry-after"));
  assert.ok(seconds >= 1 && seconds <= 60);
});

Deno.test("refusals: allowed_hosts comes before everything but probes and metrics", async () => {
  await using router = await startTestRouter({
    yaml: `server: { bind_address: "127.0.0.1:0", runtime_dir: /tmp/realtime-router-tests, ` +
      `allowed_hosts: [router.example.com] }`,
  });
  const get = (path: string, host: string) =>
    requestRaw(router.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  for (const path of ["/v1/realtime", "/nowhere"]) {
    const response = await get(path, "evil.test");
    assert.equal(response.status, 403);
    assert.equal(JSON.parse(response.body).error.code, "host_not_allowed");
    assert.notEqual((await get(path, "router.example.com:8080")).status, 403);
  }
  for (const path of ["/health", "/healthz", "/readyz", "/metrics"]) {
    assert.equal((await get(path, "evil.test")).status, 200, path);
  }
});

Deno.test("refusals: realtime that is not enabled is an unknown path", async () => {
  await using router = await startTestRouter({ yaml: "realtime: { enabled: false }" });
  for (const path of ["/v1/realtime", "/realtime"]) {
    const target = `${path}?model=${MODEL}`;
    const request = upgradeRequest({ port: router.port, target });
    const response = await requestRaw(router.port, request);
    assert.equal(response.status, 404);
    assert.equal(JSON.parse(response.body).error.code, "not_found");
  }
});

Deno.test("refusals: are counted by code, and never as sessions", async () => {
  await using router = await startTestRouter();
  const target = "/v1/realtime?model=nothing";
  await requestRaw(router.port, upgradeRequest({ port: router.port, target }));
  const labels = { code: "model_not_found" };
  assert.equal(await router.metric("realtime_handshake_rejections_total", labels), 1);
  const http = { endpoint: "/v1/realtime", method: "GET", status: "404" };
  assert.equal(await router.metric("http_requests_total", http), 1);
  assert.equal(await router.metric("realtime_sessions_total"), 0);
});
