import assert from "node:assert/strict";
import { startDemoBackend } from "../../demo/mod.ts";
import { RawClient, typesOf } from "./raw_client.ts";
import { makeAuthority } from "../support/certificates.ts";

const QUERY = "?model=demo-voice";

Deno.test("startDemoBackend: answers plain HTTP", async () => {
  await using backend = await startDemoBackend({ models: ["a", "b"] });
  const base = `http://127.0.0.1:${backend.port}`;
  const health = await fetch(`${base}/health`);
  assert.deepEqual([health.status, await health.json()], [200, { status: "ok" }]);
  const models = await fetch(`${base}/v1/models`);
  assert.partialDeepStrictEqual(await models.json(), { data: [{ id: "a" }, { id: "b" }] });
  const plain = await fetch(`${base}/v1/realtime${QUERY}`);
  assert.deepEqual([plain.status, plain.headers.get("upgrade")], [426, "websocket"]);
  assert.partialDeepStrictEqual(await plain.json(), { error: { code: "upgrade_required" } });
  const nowhere = await fetch(`${base}/nowhere`);
  assert.equal(nowhere.status, 404);
  await nowhere.body?.cancel();
  assert.equal(backend.upgrades.length, 0);
});

Deno.test("startDemoBackend: refuses a wrong key before 101, with a JSON body", async () => {
  await using backend = await startDemoBackend({ apiKey: "backend-key" });
  await using socket = await tcp(backend.port);
  const answer = await socket.ask(
    `GET /v1/realtime${QUERY} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Authorization: Bearer wrong\r\n\r\n",
  );
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  assert.match(head, /^HTTP\/1\.1 401 Unauthorized\r\n/);
  assert.match(head, /content-type: application\/json/);
  assert.deepEqual(JSON.parse(body), {
    error: {
      message: "Incorrect API key provided.",
      type: "invalid_request_error",
      code: "invalid_api_key",
      param: null,
    },
  });
  assert.deepEqual(backend.upgrades.map(({ status, closed }) => ({ status, closed })), [
    { status: 401, closed: null },
  ]);
});

Deno.test("startDemoBackend: records url, headers and end of every upgrade, in order", async () => {
  await using backend = await startDemoBackend({ apiKey: "backend-key" });
  await assert.rejects(RawClient.open(backend.url + QUERY), /401/);
  const headers = { authorization: "Bearer backend-key", "x-extra": "1" };
  const client = await RawClient.open(`${backend.url}${QUERY}&x=1`, { headers });
  assert.equal(backend.sessionCount, 1);
  await client.skipTo("session.created");
  await client.close(4_321);
  const [refused, accepted] = backend.upgrades;
  assert.deepEqual([refused?.serial, refused?.status], [1, 401]);
  assert.deepEqual([accepted?.serial, accepted?.status], [2, 101]);
  assert.equal(accepted?.url, `/v1/realtime${QUERY}&x=1`);
  assert.equal(accepted?.headers.get("authorization"), "Bearer backend-key");
  assert.equal(accepted?.headers.get("x-extra"), "1");
  assert.equal(accepted?.headers.has("origin"), false);
  assert.deepEqual(await accepted?.closed, { code: 4_321, reason: "" });
  assert.equal(backend.sessionCount, 0);
});

Deno.test.each([
  { offered: ["realtime", "openai-insecure-api-key.x"], chosen: "realtime" },
  { offered: [], chosen: "" },
])("startDemoBackend: offered $offered, chooses '$chosen'", async ({ offered, chosen }) => {
  await using backend = await startDemoBackend();
  await using client = await RawClient.open(backend.url + QUERY, { protocols: offered });
  assert.deepEqual([client.protocol, client.extensions], [chosen, ""]);
});

Deno.test("startDemoBackend: chooses no subprotocol when realtime is not offered", async () => {
  await using backend = await startDemoBackend();
  const opening = RawClient.open(backend.url + QUERY, { protocols: ["other"] });
  await assert.rejects(opening, /Server sent no subprotocol/);
});

Deno.test("startDemoBackend: a handshake that breaks the rules is recorded as 400", async () => {
  await using backend = await startDemoBackend();
  await using socket = await tcp(backend.port);
  const answer = await socket.ask(
    `GET /v1/realtime${QUERY} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.deepEqual(backend.upgrades.map(({ status }) => status), [400]);
});

Deno.test("startDemoBackend: speaks TLS with a certificate", async () => {
  const authority = await makeAuthority();
  const tls = await authority.issue({ names: ["127.0.0.1"] });
  await using backend = await startDemoBackend({ tls, speed: 50 });
  assert.match(backend.url, /^wss:/);
  await using client = await RawClient.open(backend.url + QUERY, { ca: authority.caPem });
  client.send({ type: "response.create", response: { metadata: { secs: "0.4" } } });
  await client.skipTo("response.done");
  assert.equal(backend.responses.length, 1);
});

Deno.test("startDemoBackend: a session too many is told so and closed with 1008", async () => {
  await using backend = await startDemoBackend({ maxSessions: 1 });
  await using first = await RawClient.open(backend.url + QUERY);
  const second = await RawClient.open(backend.url + QUERY);
  const events = await second.rest();
  assert.deepEqual(typesOf(events), ["error"]);
  assert.partialDeepStrictEqual(events, [{ error: { code: "session_limit_reached" } }]);
  assert.equal((await second.closed).code, 1_008);
  await first.close();
  await backend.upgrades[0]?.closed;
  await using third = await RawClient.open(backend.url + QUERY);
  assert.equal((await third.next()).type, "session.created");
});

Deno.test("startDemoBackend: a session that lasts too long expires with 1001", async () => {
  await using backend = await startDemoBackend({ maxSessionMs: 30 });
  const client = await RawClient.open(backend.url + QUERY);
  const text = "Your session hit the maximum duration of 60 minutes.";
  const events = await client.rest();
  assert.deepEqual(typesOf(events), ["session.created", "error"]);
  assert.partialDeepStrictEqual(events[1], { error: { code: "session_expired", message: text } });
  assert.deepEqual(await client.closed, { code: 1_001, reason: text });
});

Deno.test("DemoBackend.close: ends sessions with 1001 in the middle of a response", async () => {
  const backend = await startDemoBackend();
  const client = await RawClient.open(backend.url + QUERY);
  client.send({ type: "response.create", response: { metadata: { secs: "60" } } });
  await client.skipTo("response.output_audio.delta");
  await backend.close();
  const rest = typesOf(await client.rest());
  assert.equal(rest.includes("response.done"), false);
  assert.deepEqual(await client.closed, { code: 1_001, reason: "server shutting down" });
  assert.deepEqual(await backend.upgrades[0]?.closed, {
    code: 1_001,
    reason: "server shutting down",
  });
  await assert.rejects(RawClient.open(backend.url + QUERY), /ECONNREFUSED/);
  await backend.close();
});

Deno.test("DemoBackend.close: does not wait for clients that do not answer", async () => {
  const backend = await startDemoBackend();
  await using silent = await tcp(backend.port);
  await using waiting = await tcp(backend.port);
  await waiting.ask(
    `GET /v1/realtime${QUERY} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  assert.equal(backend.sessionCount, 1);
  await backend.close();
  assert.deepEqual(await backend.upgrades[0]?.closed, { code: 1_006, reason: "" });
  assert.equal(await silent.read(), "");
});

Deno.test("startDemoBackend: a taken port is EADDRINUSE", async () => {
  await using backend = await startDemoBackend();
  await assert.rejects(startDemoBackend({ port: backend.port }), { code: "EADDRINUSE" });
});

Deno.test.each([
  { name: "speed", value: 0 },
  { name: "speed", value: NaN },
  { name: "maxSessions", value: 0 },
  { name: "maxSessionMs", value: -1 },
  { name: "maxSessionMs", value: 25 * 86_400_000 },
])("startDemoBackend: refuses $name $value", async ({ name, value }) => {
  await assert.rejects(startDemoBackend({ [name]: value }), RangeError);
});

interface TcpClient extends AsyncDisposable {
  read(): Promise<string>;
  ask(request: string): Promise<string>;
}

/** A plain TCP connection that writes and reads once. */
async function tcp(port: number): Promise<TcpClient> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const read = async () => {
    const buffer = new Uint8Array(4_096);
    const count = await connection.read(buffer);
    return new TextDecoder().decode(buffer.subarray(0, count ?? 0));
  };
  return {
    read,
    async ask(request) {
      await connection.write(new TextEncoder().encode(request));
      return await read();
    },
    [Symbol.asyncDispose]() {
      connection.close();
      return Promise.resolve();
    },
  };
}
