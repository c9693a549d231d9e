/** The search of all logs for secrets and payloads finds what it looks for, in a log of a real router. */

import assert from "node:assert/strict";
import { listFields } from "../../src/config/mod.ts";
import { logOf } from "../../src/observability/mod.ts";
import { SECRET_NAMES, secretsIn, secretsOfFile } from "../support/config_secrets.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { captureLogs, MARK, neverToBeLogged, takeLeaks, watchLine } from "../support/log_watch.ts";
import { openRaw } from "../support/raw_client.ts";
import { textOf } from "../support/raw_peer.ts";
import { RecordingLog } from "../support/recording_log.ts";
import { startTestRouter } from "../support/test_router.ts";

/** What was found since the last call, without the lines. */
function found(): readonly string[] {
  return takeLeaks().map((leak) => leak.split(": ", 1)[0] ?? "");
}

Deno.test("log watch: finds a key that a router logs, and a payload in any module's line", async () => {
  await using fake = await FakeBackend.listen();
  // A key whose id is the key itself is logged as such.
  const yaml =
    "api_keys: { mode: blocking, api_keys: [{ id: planted-key-4711, key: planted-key-4711 }] }";
  await using test = await startTestRouter({ backends: [fake.url], yaml });
  const headers = { authorization: "Bearer planted-key-4711" };
  using client = await openRaw({ port: test.port, headers });
  using backend = await fake.nextSession();
  await backend.sendText("what a caller says");
  assert.equal(textOf(await client.readMessage()), "what a caller says");
  assert.deepEqual(found(), ["a secret"], "the session's start");
  logOf("realtime").trace("relayed", { text: "it was: what a caller says" });
  assert.deepEqual(found(), ["a payload"]);
  client[Symbol.dispose]();
  backend[Symbol.dispose]();
  await test.router.sessions.whenEmpty();
  assert.deepEqual(found(), ["a secret"], "the session's end");
});

Deno.test("log watch: finds nothing in what a router may log", async () => {
  await using fake = await FakeBackend.listen();
  await using test = await startTestRouter({ backends: [fake.url] });
  using client = await openRaw({ port: test.port });
  using backend = await fake.nextSession();
  await backend.sendText("what a caller says");
  await client.readMessage();
  client[Symbol.dispose]();
  backend[Symbol.dispose]();
  await test.router.sessions.whenEmpty();
  assert.deepEqual(found(), []);
});

Deno.test.each([
  { text: `${MARK}anything`, what: "a marked secret" },
  { text: "Authorization: Bearer abcdef", what: "a credential" },
  { text: "realtime, openai-insecure-api-key.x", what: "a key in a subprotocol" },
  { text: "cookie: session=1", what: "a cookie" },
  { text: "-----BEGIN PRIVATE KEY-----", what: "a private key or certificate" },
  { text: "/v1/realtime?model=m&token=t", what: "a query string" },
  { text: "/v1/realtime?key=k", what: "a query string" },
  { text: "UklGR".repeat(20), what: "an encoded payload" },
  { text: '{\\"type\\":\\"response.done\\"}', what: "a realtime event" },
  { text: "input_audio_buffer.append", what: "a realtime event" },
  { text: "resp_0001_0002", what: "an id of a backend" },
])("log watch: $what is known by its look: $text", async ({ text, what }) => {
  await captureLogs();
  logOf("any").debug("said", { text });
  assert.deepEqual(found(), [what]);
  new RecordingLog().info(text);
  assert.deepEqual(found(), [what], "in a log that a fixture keeps, too");
});

Deno.test("log watch: what a router says of a refused target is fine", () => {
  watchLine('{"msg":"upgrade refused","target":"/v1/realtime?model=demo-voice"}');
  assert.deepEqual(found(), []);
});

Deno.test("log watch: a secret that would be found by chance is refused", () => {
  assert.throws(() => neverToBeLogged("voice"), TypeError);
});

Deno.test("secretsIn: knows every secret field of the schema", () => {
  const secret = listFields().filter((field) => field.secret)
    .map(({ path }) => path.split(".").at(-1) ?? "");
  assert.deepEqual([...new Set(secret)].toSorted(), [...SECRET_NAMES].toSorted());
});

Deno.test("secretsIn: takes texts under secret names, all of headers, and no path of a key file", () => {
  const config = {
    server: { tls: { cert: "/a.pem", key: "/b.pem" } },
    api_keys: { api_keys: [{ id: "one", key: "secret-1" }] },
    backends: [{ name: "b", headers: { "x-team": "secret-2" }, api_key: "secret-3" }],
    metrics: { auth_token: "" },
  };
  assert.deepEqual(secretsIn(config), ["secret-1", "secret-2", "secret-3"]);
});

Deno.test.each([
  { name: "a valid file", yaml: 'metrics: { auth_token: secret-1 }\nx: { token: "${T}" }' },
  { name: "a file that is no YAML", yaml: "- auth_token: secret-1\nx: [ token: '${T}', }" },
])("secretsOfFile: $name, and the environment's", ({ yaml }) => {
  assert.deepEqual(secretsOfFile(yaml, { T: "secret-2" }), ["secret-1", "secret-2"]);
  assert.deepEqual(secretsOfFile(yaml), ["secret-1"]);
});
