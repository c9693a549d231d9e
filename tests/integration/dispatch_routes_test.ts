/**
 * The HTTP routes themselves: their methods, the list of models, and CORS.
 *
 * Permissions: net.
 *
 * @module
 */

import assert from "node:assert/strict";
import { compileOrigins } from "../../src/origin/mod.ts";
import { DispatchRouter } from "../support/dispatch_router.ts";
import { backendConfig } from "../support/live_backends.ts";
import { requestRaw } from "../support/raw_client.ts";

Deno.test("dispatch: GET /v1/models shows what the key may use, by any of its names", async () => {
  await using router = await DispatchRouter.start({
    backends: [
      backendConfig("a", { models: ["voice", "org/talker"] }),
      backendConfig("b", { models: ["another"] }),
    ],
    keys: [{ allowedBackends: ["a"] }, { allowedModels: ["org/talker"] }],
    mode: "blocking",
  });
  const get = async (path: string, key: string) => {
    const response = await fetch(`${router.origin}${path}`, {
      headers: { "authorization": `Bearer ${key}` },
    });
    const body = await response.json();
    return response.status === 200 ? body : body.error.code;
  };
  const ids = async (key: string) => {
    const { object, data } = await get("/v1/models", key);
    assert.equal(object, "list");
    return data.map(({ id }: { readonly id: string }) => id);
  };
  assert.deepEqual(await ids("secret-1"), ["voice", "org/talker"]);
  assert.deepEqual(await ids("secret-2"), ["org/talker"]);
  assert.equal(await get("/v1/models", "wrong"), "invalid_api_key");
  for (
    const path of ["/v1/models/org%2Ftalker", "/v1/models/org/talker", "/v1/models/%6frg%2ftalker"]
  ) {
    assert.equal((await get(path, "secret-2")).id, "org/talker");
  }
  assert.equal(await get("/v1/models/voice", "secret-2"), "model_not_allowed");
  assert.equal(await get("/v1/models/another", "secret-1"), "backend_not_allowed");
  assert.equal(await get("/v1/models/nobodys", "secret-1"), "model_not_found");
  assert.equal(await get("/v1/models/%ff", "secret-1"), "invalid_request");
  assert.equal(await get("/v1/models/", "secret-1"), "model_not_found");
  assert.equal(await get("/v1/models/voice", "wrong"), "invalid_api_key");
});

Deno.test.each([
  ["POST", "/v1/models", 405, "GET, HEAD"],
  ["DELETE", "/v1/models/voice", 405, "GET, HEAD"],
  ["GET", "/v1/chat/completions", 405, "POST"],
  ["GET", "/v1/completions", 405, "POST"],
  ["GET", "/v1/responses", 405, "POST"],
  ["GET", "/v1/embeddings", 405, "POST"],
  ["GET", "/v1/rerank", 405, "POST"],
  ["GET", "/v1/audio/speech", 405, "POST"],
  ["GET", "/v1/images/generations", 405, "POST"],
  ["POST", "/v1/audio/transcriptions", 404, null],
  ["POST", "/chat/completions", 404, null],
])("dispatch: %s %s is answered %i", async (method, path, status, allow) => {
  await using router = await DispatchRouter.start({ backends: [], mode: "blocking" });
  const response = await fetch(`${router.origin}${path}`, { method });
  assert.deepEqual([response.status, response.headers.get("allow")], [status, allow]);
  await response.body?.cancel();
});

const PAGE = "https://console.test";

async function startForPages(): Promise<DispatchRouter> {
  return await DispatchRouter.start({
    backends: [],
    mode: "blocking",
    cors: { enabled: true, matcher: compileOrigins([PAGE]).matcher },
  });
}

Deno.test("dispatch: a client that offers HTTP/2 with its request is answered over HTTP/1.1", async () => {
  await using router = await DispatchRouter.start({ backends: [backendConfig("a")] });
  const body = JSON.stringify({ model: "nobodys", messages: [] });
  const answer = await requestRaw(
    router.port,
    [
      "POST /v1/chat/completions HTTP/1.1",
      "Host: 127.0.0.1",
      "Connection: Upgrade, HTTP2-Settings, close",
      "Upgrade: h2c",
      "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "",
      body,
    ].join("\r\n"),
  );
  assert.equal(answer.status, 404);
  assert.equal(JSON.parse(answer.body).error.code, "model_not_found");
  assert.ok(answer.headers.has("x-request-id"));
});

Deno.test("dispatch: a preflight needs no key", async () => {
  await using router = await startForPages();
  const response = await fetch(`${router.origin}/v1/chat/completions`, {
    method: "OPTIONS",
    headers: {
      "origin": PAGE,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    },
  });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get("access-control-allow-origin"), PAGE);
  assert.equal(response.headers.get("access-control-allow-headers"), "authorization, content-type");
});

Deno.test("dispatch: a listed page may read a refusal, another one may not", async () => {
  await using router = await startForPages();
  for (const [origin, allowed] of [[PAGE, PAGE], ["https://evil.test", null]] as const) {
    const response = await fetch(`${router.origin}/v1/models`, { headers: { origin } });
    assert.equal((await response.json()).error.code, "missing_api_key");
    assert.equal(response.headers.get("access-control-allow-origin"), allowed);
    assert.equal(response.headers.get("www-authenticate"), "Bearer");
  }
});
