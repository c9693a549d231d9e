/**
 * What must not be in the log, at the level that says most (spec §8, §13): payloads, keys, tokens, cookies,
 * query strings beyond `model`.
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the
 * variables of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { MARK } from "../support/log_watch.ts";
import { connectRaw, openRaw, requestRaw, upgradeRequest } from "../support/raw_client.ts";
import { OPCODE, type RawPeer } from "../support/raw_peer.ts";
import {
  routerPermissions,
  type RouterProcess,
  serverSection,
  startRouterProcess,
} from "../support/router_process.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { MODEL } from "../support/test_router.ts";

const SECRETS = {
  payload: `${MARK}payload-1`,
  closeReason: `${MARK}reason-2`,
  clientKey: `${MARK}client-key-3`,
  wrongKey: `${MARK}wrong-key-4`,
  subprotocolKey: `${MARK}subprotocol-5`,
  cookie: `${MARK}cookie-6`,
  query: `${MARK}query-7`,
  backendKey: `${MARK}backend-key-8`,
  backendHeader: `${MARK}backend-header-9`,
  refusalBody: `${MARK}refusal-body-10`,
  malformed: `${MARK}malformed-11`,
  metricsToken: `${MARK}metrics-token-12`,
} as const;
/** What all of them have, and also their remains if one was cut off. */
const MARKED = new RegExp(MARK, "i");
const TARGET = `/v1/realtime?model=${MODEL}&token=${SECRETS.query}`;
const HEADERS = {
  "authorization": `Bearer ${SECRETS.clientKey}`,
  "cookie": `session=${SECRETS.cookie}`,
  "sec-websocket-protocol": `realtime, openai-insecure-api-key.${SECRETS.subprotocolKey}`,
};

Deno.test("log at trace: has what happened, and nothing that was said or that opens doors", async () => {
  await using dir = await makeTempDir();
  await using backend = await FakeBackend.listen();
  await using router = await startRouter(dir, backend);

  await saysAndCloses(router, backend);
  await breaksTheProtocol(router, backend);
  await vanishes(router, backend);
  await backendSendsTooMuch(router, backend);
  await backendRefuses(router, backend);
  await isRefused(router);
  const headers = { authorization: `Bearer ${SECRETS.metricsToken}` };
  const metrics = await fetch(`http://127.0.0.1:${router.port}/metrics`, { headers });
  assert.equal(metrics.status, 200);
  assert.doesNotMatch(await metrics.text(), MARKED);

  const { code, stdout, stderr } = await router.program.end();
  assert.equal(code, 0);
  const ended = router.program.records.filter(({ msg }) => msg === "session ended");
  assert.deepEqual(ended.map(({ outcome }) => outcome), [
    "completed",
    "client_abort",
    "client_abort",
    "backend_abort",
    "backend_connect_failed",
  ]);
  assert.doesNotMatch(stdout, MARKED);
  assert.equal(stderr, "");
});

async function saysAndCloses(router: RouterProcess, backend: FakeBackend): Promise<void> {
  const { client, peer } = await openSession(router, backend);
  const text = JSON.stringify({
    type: "response.done",
    response: { id: SECRETS.payload, model: SECRETS.payload, status: SECRETS.payload },
  });
  await peer.sendText(text);
  await peer.sendText(SECRETS.payload);
  await peer.send({ opcode: OPCODE.binary, payload: SECRETS.payload });
  await client.sendText(text);
  await client.send({ opcode: OPCODE.ping, payload: SECRETS.payload });
  for (let messages = 0; messages < 3; messages++) await client.readMessage();
  await peer.readMessage();
  await client.sendClose(3000, SECRETS.closeReason);
  await Promise.all([peer.readClose(), client.readClose()]);
  await finish({ router, backend }, { client, peer });
}

async function breaksTheProtocol(router: RouterProcess, backend: FakeBackend): Promise<void> {
  const { client, peer } = await openSession(router, backend);
  await client.send({ opcode: OPCODE.text, payload: SECRETS.payload, reserved: 4 });
  await client.readClose();
  await finish({ router, backend }, { client, peer });
}

async function vanishes(router: RouterProcess, backend: FakeBackend): Promise<void> {
  const { client, peer } = await openSession(router, backend);
  await client.send({ opcode: OPCODE.text, payload: SECRETS.payload, final: false });
  await finish({ router, backend }, { client, peer });
}

async function backendSendsTooMuch(router: RouterProcess, backend: FakeBackend): Promise<void> {
  const { client, peer } = await openSession(router, backend);
  await peer.send({
    opcode: OPCODE.text,
    payload: SECRETS.payload,
    claimedLength: BigInt(5 * 1024 * 1024),
  });
  await client.readClose();
  await finish({ router, backend }, { client, peer });
}

async function backendRefuses(router: RouterProcess, backend: FakeBackend): Promise<void> {
  const client = await openRaw({ port: router.port, target: TARGET, headers: HEADERS });
  const connection = await backend.nextConnection();
  assert.match(await connection.readRequest(), new RegExp(SECRETS.backendKey));
  const { peer } = connection;
  await peer.write(
    `HTTP/1.1 500 ${SECRETS.refusalBody}\r\nX-Detail: ${SECRETS.refusalBody}\r\n` +
      `Content-Length: ${SECRETS.refusalBody.length}\r\n\r\n${SECRETS.refusalBody}`,
  );
  await client.readClose();
  await finish({ router, backend }, { client, peer });
}

/** Refused by the application, and by the edge that does not even read all of it. */
async function isRefused(router: RouterProcess): Promise<void> {
  const { port } = router;
  const ask = async (text: string) => (await requestRaw(port, text)).status;
  const wrong = { ...HEADERS, authorization: `Bearer ${SECRETS.wrongKey}` };
  assert.equal(await ask(upgradeRequest({ port, target: TARGET, headers: wrong })), 401);
  const foreign = { ...HEADERS, origin: "https://elsewhere.example" };
  assert.equal(await ask(upgradeRequest({ port, target: TARGET, headers: foreign })), 403);
  const head = upgradeRequest({ port, target: TARGET, headers: HEADERS });
  assert.equal(await ask(head.replace("host:", `${SECRETS.malformed} host:`)), 400);
  const token = `metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  assert.equal(
    await ask(`GET /${token}Authorization: Bearer ${SECRETS.wrongKey}\r\n\r\n`),
    401,
  );
  // A head that never ends, and one that is too large.
  using silent = await connectRaw(port);
  await silent.write(`GET ${TARGET} HTTP/1.1\r\ncookie: ${SECRETS.cookie}`);
  assert.equal(
    await ask(head.replace("\r\n", `\r\nx: ${SECRETS.malformed.repeat(8_000)}\r\n`)),
    431,
  );
}

async function openSession(router: RouterProcess, backend: FakeBackend) {
  const client = await openRaw({ port: router.port, target: TARGET, headers: HEADERS });
  return { client, peer: await backend.nextSession() };
}

/** Ends both connections and waits until the session has been logged: each one has one backend connection. */
async function finish(
  { router, backend }: { readonly router: RouterProcess; readonly backend: FakeBackend },
  ends: { readonly client: RawPeer; readonly peer: RawPeer },
): Promise<void> {
  ends.client[Symbol.dispose]();
  ends.peer[Symbol.dispose]();
  const ended = () => router.program.records.filter(({ msg }) => msg === "session ended").length;
  await router.program.record(() => ended() === backend.connectionCount);
}

async function startRouter(dir: TempDir, backend: FakeBackend): Promise<RouterProcess> {
  return await startRouterProcess(dir, {
    yaml: `
${serverSection(dir)}
realtime: { enabled: true }
api_keys:
  mode: blocking
  api_keys: [{ id: console, key: ${SECRETS.clientKey} }]
backends:
  - name: demo
    url: "http://127.0.0.1:${backend.port}"
    api_key: "\${BACKEND_KEY}"
    headers: { x-team: ${SECRETS.backendHeader} }
    models: [${MODEL}]
    model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }]
health_checks: { enabled: false }
metrics: { auth_token: ${SECRETS.metricsToken} }
logging: { level: trace }
`,
    permissions: [...routerPermissions(dir), "--allow-env=BACKEND_KEY"],
    env: { BACKEND_KEY: SECRETS.backendKey },
  });
}
