/**
 * Backends with TLS, trusted as the operating system trusts them (spec §5). The router is a process of its own,
 * since trust is given by its environment.
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the
 * variables of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Authority, makeAuthority } from "../support/certificates.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { runProgram } from "../support/program.ts";
import { openRaw } from "../support/raw_client.ts";
import { encodeFrame, OPCODE } from "../support/raw_peer.ts";
import {
  routerPermissions,
  type RouterProcess,
  serverSection,
  startRouterProcess,
} from "../support/router_process.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { MODEL, readSample } from "../support/test_router.ts";

const HOUR_MS = 3_600_000;
const HERE = ["127.0.0.1", "localhost"];

Deno.test("wss backend: is accepted when its authority is in the system's store, and all bytes pass", async () => {
  await using dir = await makeTempDir();
  const authority = await makeAuthority();
  await using backend = await FakeBackend.listen({ tls: await authority.issue({ names: HERE }) });
  await using router = await startRouter(dir, { backend, trusted: authority });
  using client = await openRaw({ port: router.port });
  const connection = await backend.nextConnection();
  const { peer } = connection;

  // In one packet with the 101, as a server that speaks first sends it.
  const first = '{"type" : "session.created",\r\n "caf\u00e9": "\u{1F399}\\u00e9\u2028"}';
  const acceptance = new TextEncoder().encode(await connection.acceptance());
  const frame = encodeFrame({ opcode: OPCODE.text, payload: first }, { masked: false });
  await peer.write(new Uint8Array([...acceptance, ...frame]));
  assert.deepEqual(await client.readMessage(), frameOf(OPCODE.text, bytesOf(first)));

  const append = bytesOf(`{"type":"input_audio_buffer.append","audio":"${"QUJD".repeat(40_000)}"}`);
  await client.send({ opcode: OPCODE.text, payload: append });
  assert.deepEqual((await peer.readMessage())?.payload, append);
  const noise = crypto.getRandomValues(new Uint8Array(60_000));
  await client.send({ opcode: OPCODE.binary, payload: noise });
  assert.partialDeepStrictEqual(await peer.readMessage(), {
    opcode: OPCODE.binary,
    payload: noise,
  });
  await peer.send({ opcode: OPCODE.binary, payload: noise });
  assert.deepEqual(await client.readMessage(), frameOf(OPCODE.binary, noise));
  await peer.sendText("");
  assert.deepEqual(await client.readMessage(), frameOf(OPCODE.text, new Uint8Array(0)));

  await peer.sendClose(1001, "bye");
  assert.deepEqual(await client.readClose(), { code: 1001, reason: "bye" });
  await client.sendClose(1001, "bye");
  assert.deepEqual(await peer.readClose(), { code: 1001, reason: "bye" });
  peer[Symbol.dispose]();
  assert.deepEqual(await client.readRest(), new Uint8Array(0));
  client[Symbol.dispose]();
  await router.program.record("session ended");
  assert.equal(readSample(await router.metrics(), sessions("completed")), 1);
  assert.equal(backend.connectionCount, 1);
});

Deno.test.each<{
  name: string;
  host?: string;
  names?: readonly string[];
  expired?: boolean;
  trusted?: boolean;
  detail: RegExp;
}>([
  { name: "of an unknown authority", trusted: false, detail: /UnknownIssuer/ },
  { name: "for another name", host: "localhost", names: ["other.test"], detail: /not valid for/ },
  { name: "for another address", names: ["localhost", "127.0.0.2"], detail: /not valid for/ },
  { name: "that has expired", expired: true, detail: /expired/i },
])("wss backend: with a certificate $name is refused, and the log says why", async (given) => {
  const { host = "127.0.0.1", names = HERE, expired = false, trusted = true, detail } = given;
  await using dir = await makeTempDir();
  const authority = await makeAuthority();
  const notAfter = expired ? { notAfter: new Date(Date.now() - HOUR_MS / 2) } : {};
  const tls = await authority.issue({ names, ...notAfter });
  await using backend = await FakeBackend.listen({ tls });
  await using router = await startRouter(dir, {
    backend,
    host,
    ...trusted ? { trusted: authority } : {},
  });

  for (const attempt of [1, 2]) {
    using client = await openRaw({ port: router.port });
    assert.deepEqual(await client.readClose(), {
      code: 1011,
      reason: "backend connection failed",
    });
    await client.sendClose(1011);
    // The server's end of the handshake runs when it is read from.
    const connection = await backend.nextConnection();
    assert.equal(await connection.readRequest(), "");
    assert.equal(backend.connectionCount, attempt);
  }

  const { level, cause, detail: shown } = await router.program.record("backend connection failed");
  assert.deepEqual([level, cause], ["warn", "tls"]);
  assert.match(String(shown), detail);
  const metrics = await router.metrics();
  assert.equal(readSample(metrics, sessions("backend_connect_failed")), 2);
  // Two failures open the circuit, so that the backend hears no more.
  await assert.rejects(openRaw({ port: router.port }), /503/);
  assert.equal(backend.connectionCount, 2);
});

Deno.test.each([
  { store: "not set", env: {} },
  { store: "mozilla", env: { DENO_TLS_CA_STORE: "mozilla" } },
])("wss backend: does not start without the system's store: $store", async ({ env }) => {
  await using dir = await makeTempDir();
  const yaml = configOf(dir, "wss://127.0.0.1:1");
  const config = await dir.write("config.yaml", yaml);
  const { code, stderr } = await runProgram({
    args: ["--config", config],
    permissions: routerPermissions(dir),
    env,
  });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^realtime-router: backend tls-backend uses TLS.*DENO_TLS_CA_STORE=system.*\n$/,
  );
});

function configOf(dir: TempDir, url: string): string {
  return `
${serverSection(dir)}
realtime: { enabled: true }
backends:
  - name: tls-backend
    url: "${url}"
    models: [${MODEL}]
    model_configs: [{ id: ${MODEL}, metadata: { capabilities: [audio] } }]
health_checks: { enabled: false }
circuit_breaker: { failure_threshold: 2 }
`;
}

/** A router whose system trusts `trusted`; without it, what this machine's own store has. */
async function startRouter(
  dir: TempDir,
  options: {
    readonly backend: FakeBackend;
    readonly host?: string;
    readonly trusted?: Authority;
  },
): Promise<RouterProcess> {
  const { backend, host = "127.0.0.1", trusted } = options;
  const store = trusted === undefined
    ? {}
    : { SSL_CERT_FILE: await dir.write("ca.pem", trusted.caPem) };
  return await startRouterProcess(dir, {
    yaml: configOf(dir, `wss://${host}:${backend.port}`),
    env: { DENO_TLS_CA_STORE: "system", ...store },
  });
}

function sessions(outcome: string) {
  return { name: "realtime_sessions_total", labels: { backend: "tls-backend", outcome } };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function frameOf(opcode: number, payload: Uint8Array) {
  return { final: true, reserved: 0, opcode, masked: false, payload };
}
