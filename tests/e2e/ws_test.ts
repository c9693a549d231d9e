/**
 * npm `ws` through the router: what it offers in its handshake, and how it shows refusals.
 *
 * Permissions: net, read and write below the folder for temporary files, env for the two variables of npm `ws`.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
// @ts-types="npm:@types/ws@8.18.2"
import { type ClientOptions, WebSocket } from "ws";
import { startDemoBackend } from "../../demo/mod.ts";
import { CapturedLog } from "../support/captured_log.ts";
import { MODEL, startTestRouter } from "../support/test_router.ts";
import { textTurn, typeOf } from "../support/text_turn.ts";

const SECRET = "sk-in-a-subprotocol-4711";
/** A handshake that is not answered fails instead of waiting for ever. */
const HANDSHAKE = { handshakeTimeout: 5_000 };
const KEY_PROTOCOL = `openai-insecure-api-key.${SECRET}`;

/** Offers every item on a header line of its own, which `ws` does not do by itself. */
function onSeveralLines(protocols: readonly string[]): ClientOptions {
  return {
    finishRequest: (request) => {
      request.setHeader("Sec-WebSocket-Protocol", protocols);
      request.end();
    },
  };
}

Deno.test.each<
  { name: string; offered: string[]; options?: ClientOptions; chosen: string | undefined }
>([
  { name: "none", offered: [], chosen: undefined },
  { name: "realtime", offered: ["realtime"], chosen: "realtime" },
  { name: "realtime,key", offered: ["realtime", KEY_PROTOCOL], chosen: "realtime" },
  {
    name: "key,beta,realtime",
    offered: [KEY_PROTOCOL, "openai-beta.realtime-v1", "realtime"],
    chosen: "realtime",
  },
  {
    name: "realtime and key on a line each",
    offered: ["realtime", KEY_PROTOCOL],
    options: onSeveralLines(["realtime", KEY_PROTOCOL]),
    chosen: "realtime",
  },
  {
    name: "key and realtime on a line each",
    offered: [KEY_PROTOCOL, "realtime"],
    options: onSeveralLines([KEY_PROTOCOL, "realtime"]),
    chosen: "realtime",
  },
])("ws: has a text turn when it offers the subprotocols $name", async (form) => {
  using log = await CapturedLog.start();
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });

  const client = new WebSocket(router.url, form.offered, { ...HANDSHAKE, ...form.options });
  const answer = answerOf(client);
  const end = await haveTextTurn(client);
  const headers = await answer;
  assert.equal(headers["sec-websocket-protocol"], form.chosen);
  assert.equal(client.protocol, form.chosen ?? "");
  // It offers permessage-deflate by default.
  assert.equal(headers["sec-websocket-extensions"], undefined);
  assert.equal(client.extensions, "");
  assert.match(headers["x-request-id"]?.toString() ?? "", /^[0-9a-f-]{36}$/);
  assert.equal(headers["x-served-backend"], undefined);
  assert.deepEqual(end, { code: 1000, reason: "done" });

  const [upgrade] = backend.upgrades;
  assert.deepEqual(await upgrade?.closed, end);
  assert.equal(upgrade?.headers.get("sec-websocket-protocol"), null);
  assert.equal(upgrade?.headers.get("sec-websocket-extensions"), null);
  assert.ok(!JSON.stringify([...upgrade?.headers ?? []]).includes(SECRET));
  await router.router.close();
  assert.equal(log.find({ msg: "session ended" }).length, 1);
  assert.ok(!JSON.stringify(log.lines).includes(SECRET));
});

Deno.test("ws: is answered without a subprotocol when it offers only a key, and gives up", async () => {
  using log = await CapturedLog.start();
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });

  const client = new WebSocket(router.url, [KEY_PROTOCOL], HANDSHAKE);
  const answer = answerOf(client);
  const error = Promise.withResolvers<Error>();
  client.on("error", error.resolve);
  const end = endOf(client);

  assert.equal((await answer)["sec-websocket-protocol"], undefined);
  assert.equal((await error.promise).message, "Server sent no subprotocol");
  assert.equal((await end).code, 1006);
  await router.router.close();
  assert.equal(log.find({ msg: "session ended" }).length, 1);
  assert.ok(!JSON.stringify(log.lines).includes(SECRET));
});

Deno.test.each([
  { target: `/v1/realtime?model=${MODEL}`, status: 101 },
  { target: `/realtime?model=${MODEL}`, status: 101 },
  { target: `/v1/realtime?foo=1&model=${MODEL}&intent=conversation`, status: 101 },
  { target: `/v1/realtime/?model=${MODEL}`, status: 404 },
  { target: `/realtime/?model=${MODEL}`, status: 404 },
  { target: `/openai/v1/realtime?model=${MODEL}`, status: 404 },
])("ws: is answered $status at $target", async ({ target, status }) => {
  await using backend = await startDemoBackend({ speed: 50 });
  await using router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });
  const client = new WebSocket(`ws://127.0.0.1:${router.port}${target}`, HANDSHAKE);
  if (status === 101) {
    assert.equal((await haveTextTurn(client)).code, 1000);
  } else {
    const { statusCode, error } = await refusalOf(client);
    assert.deepEqual([statusCode, error.code], [status, "not_found"]);
  }
});

const BLOCKING = `
api_keys:
  mode: blocking
  api_keys:
    - { id: full, key: sk-full }
    - { id: limited, key: sk-limited, allowed_models: [another] }
    - { id: expired, key: sk-expired, expires_at: "2020-01-01T00:00:00Z" }
`;

Deno.test.each([
  { key: null, query: `model=${MODEL}`, status: 401, code: "missing_api_key" },
  { key: "sk-unknown", query: `model=${MODEL}`, status: 401, code: "invalid_api_key" },
  { key: "sk-expired", query: `model=${MODEL}`, status: 401, code: "expired_api_key" },
  { key: "sk-full", query: "", status: 400, code: "missing_model" },
  { key: "sk-full", query: "intent=transcription", status: 400, code: "missing_model" },
  { key: "sk-limited", query: `model=${MODEL}`, status: 403, code: "model_not_allowed" },
  { key: "sk-full", query: "model=of-nobody", status: 404, code: "model_not_found" },
])(
  "ws: can read why it is refused: $key with $query is $status $code",
  async ({ key, query, status, code }) => {
    await using backend = await startDemoBackend();
    await using router = await startTestRouter({
      backends: [`http://127.0.0.1:${backend.port}`],
      yaml: BLOCKING,
    });
    const headers = key === null ? {} : { authorization: `Bearer ${key}` };
    const client = new WebSocket(`ws://127.0.0.1:${router.port}/v1/realtime?${query}`, {
      ...HANDSHAKE,
      headers,
    });
    const refusal = await refusalOf(client);
    assert.deepEqual([refusal.statusCode, refusal.error.code], [status, code]);
    assert.match(refusal.headers["content-type"] ?? "", /^application\/json/);
    assert.equal(refusal.headers["www-authenticate"], status === 401 ? "Bearer" : undefined);
    assert.notEqual(refusal.error.message, "");
    assert.equal(backend.upgrades.length, 0);
  },
);

/** The headers of the 101. */
function answerOf(client: WebSocket): Promise<IncomingHttpHeaders> {
  return new Promise((resolve) => client.once("upgrade", ({ headers }) => resolve(headers)));
}

function endOf(client: WebSocket): Promise<{ readonly code: number; readonly reason: string }> {
  return new Promise((resolve) =>
    client.once("close", (code, reason) => resolve({ code, reason: String(reason) }))
  );
}

async function haveTextTurn(client: WebSocket) {
  const failed = Promise.withResolvers<never>();
  client.once("error", failed.reject);
  client.on("message", (data) => {
    const type = typeOf(String(data));
    if (type === "session.created") { for (const message of textTurn()) client.send(message); }
    if (type === "response.done") client.close(1000, "done");
  });
  return await Promise.race([endOf(client), failed.promise]);
}

/** A refused handshake, whose body `ws` shows only to those who ask. */
async function refusalOf(client: WebSocket) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    client.once("unexpected-response", (_request, message) => resolve(message));
    client.once("error", reject);
    client.once("open", () => reject(new Error("the handshake was not refused")));
  });
  const body: { readonly error: { readonly code: string; readonly message: string } } = JSON.parse(
    await text(response),
  );
  return { statusCode: response.statusCode, headers: response.headers, error: body.error };
}
