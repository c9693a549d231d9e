/** The admin routes behind a listener of their own: who gets in over real connections, and what they do. */

import assert from "node:assert/strict";
import { AdminEvents, adminRoutes, LastErrors, SessionTotals } from "../../src/admin/mod.ts";
import { parseConfig } from "../../src/config/mod.ts";
import { createApp, rawErrorResponse, RouterError } from "../../src/http/mod.ts";
import { Statistics } from "../../src/metering/mod.ts";
import { type Clock, Sessions, systemClock } from "../../src/realtime/mod.ts";
import { BackendRegistry } from "../../src/routing/mod.ts";
import { Edge, type TlsIdentity } from "../../src/wire/mod.ts";
import { makeAuthority } from "../support/certificates.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { secretsIn } from "../support/config_secrets.ts";
import { neverToBeLogged } from "../support/log_watch.ts";
import { connectNode } from "../support/node_conn.ts";
import { ownAddresses } from "../support/own_addresses.ts";
import { openRaw, parseResponse } from "../support/raw_client.ts";
import { RawPeer } from "../support/raw_peer.ts";
import { RecordingLog } from "../support/recording_log.ts";
import { startTestRouter } from "../support/test_router.ts";

interface AdminSetUp {
  /** The section `admin.auth`, in YAML. @default method none */
  readonly auth?: string;
  /** @default {"127.0.0.1"} */
  readonly hostname?: string;
  readonly tls?: TlsIdentity;
  readonly sessions?: Sessions;
  readonly clock?: Clock;
}

async function startAdmin(options: AdminSetUp = {}) {
  const { auth = "{}", hostname = "127.0.0.1", sessions = new Sessions(), clock = systemClock } =
    options;
  const config = parseConfig(`admin: { auth: ${auth} }`, { get: () => undefined });
  neverToBeLogged(...secretsIn(config));
  const events = new AdminEvents();
  const lastErrors = new LastErrors();
  const statistics = new Statistics(clock.now());
  const totals = new SessionTotals();
  const app = createApp({
    routes: adminRoutes({
      config: () => config,
      statistics: () => statistics.snapshot(clock.now()),
      realtimeStatistics: () => totals.snapshot(),
      recentUsage: () => [],
      sessions,
      registry: new BackendRegistry(),
      lastErrorOf: (backend) => lastErrors.of(backend),
      events,
      clock,
      unixNow: Date.now,
      log: new RecordingLog(),
    }),
    checkHost: () => null,
    observer: { answered: () => {}, failed: (error) => assert.fail(String(error.cause)) },
    now: () => clock.now(),
  });
  const edge = await Edge.start({
    listen: [{ hostname, port: 0 }],
    ...options.tls === undefined ? {} : { tls: options.tls },
    handler: app,
    renderRefusal: ({ code, message }) => rawErrorResponse(new RouterError(code, message), "edge"),
    maxMessageBytes: 1024,
    maxConnections: 100,
    now: () => clock.now(),
    onAcceptError: (error) => assert.fail(String(error)),
  });
  const port = edge.addresses[0]?.port ?? 0;
  return { edge, events, port, [Symbol.asyncDispose]: () => edge.close() };
}

interface Question {
  readonly port: number;
  /** The address connected to. @default {"127.0.0.1"} */
  readonly hostname?: string;
  readonly request?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly caPem?: string;
}

/** Sends one request, whose `Host` is `localhost` unless given, and reads its answer. */
async function ask(question: Question) {
  const { port, hostname = "127.0.0.1", caPem } = question;
  const conn = caPem === undefined
    ? await Deno.connect({ hostname, port })
    : await connectNode(port, caPem);
  using peer = new RawPeer(conn, { masks: true });
  const headers = { host: `localhost:${port}`, ...question.headers, connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await peer.write(`${question.request ?? "GET /admin/sessions"} HTTP/1.1\r\n${lines}\r\n`);
  const response = parseResponse(new TextDecoder().decode(await peer.readRest()));
  peer[Symbol.dispose]();
  await peer.conn.closed;
  const code: unknown = response.status < 400 ? null : JSON.parse(response.body).error.code;
  return { ...response, code };
}

function canListenOn(hostname: string): boolean {
  try {
    Deno.listen({ hostname, port: 0 }).close();
    return true;
  } catch {
    return false;
  }
}

const HAS_IPV6 = canListenOn("::1");

const OWN_ADDRESSES = ownAddresses();

Deno.test("admin: a direct request of this machine to localhost is answered", async () => {
  await using admin = await startAdmin();
  const answer = await ask({ port: admin.port });
  assert.equal(answer.status, 200);
  assert.equal(answer.body, '{"sessions":[]}');
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
});

Deno.test.each(
  [
    ["the name of a page that was made to resolve here", { host: "rebound.example" }],
    ["an address of another machine as Host", { host: "192.0.2.1" }],
    ["an X-Forwarded-For", { "x-forwarded-for": "127.0.0.1" }],
    ["an empty X-Forwarded-For", { "x-forwarded-for": "" }],
  ] as const,
)("admin: without credentials %s is refused", async (_name, headers) => {
  await using admin = await startAdmin();
  const answer = await ask({ port: admin.port, headers });
  assert.deepEqual([answer.status, answer.code], [403, "admin_not_allowed"]);
});

Deno.test("admin: an absolute target counts as the Host", async () => {
  await using admin = await startAdmin();
  const request = "GET http://rebound.example/admin/sessions";
  const answer = await ask({ port: admin.port, request });
  assert.deepEqual([answer.status, answer.code], [403, "admin_not_allowed"]);
});

Deno.test("admin: over TLS this machine is known too", async () => {
  const authority = await makeAuthority();
  const tls = await authority.issue({ names: ["127.0.0.1"] });
  await using admin = await startAdmin({ tls });
  const { caPem } = authority;
  assert.equal((await ask({ port: admin.port, caPem })).status, 200);
  const headers = { host: "rebound.example" };
  assert.equal((await ask({ port: admin.port, caPem, headers })).status, 403);
});

Deno.test({
  name: "admin: this machine is known over IPv6, and over IPv4 on a socket of both",
  ignore: !HAS_IPV6,
  fn: async () => {
    await using admin = await startAdmin({ hostname: "::" });
    const { port } = admin;
    for (const hostname of ["::1", "127.0.0.1"]) {
      const headers = { host: `[::1]:${port}` };
      assert.equal((await ask({ port, hostname, headers })).status, 200, hostname);
    }
  },
});

Deno.test({
  name: OWN_ADDRESSES.length > 0
    ? `admin: without credentials other addresses are refused: ${OWN_ADDRESSES.join(", ")}`
    : "admin: without credentials other addresses are refused: this machine has none, " +
      "or --allow-sys=networkInterfaces is missing",
  ignore: OWN_ADDRESSES.length === 0,
  fn: async () => {
    await using admin = await startAdmin({ hostname: HAS_IPV6 ? "::" : "0.0.0.0" });
    await using guarded = await startAdmin({
      hostname: HAS_IPV6 ? "::" : "0.0.0.0",
      auth: "{ method: api_key, api_key: the-key }",
    });
    const headers = { "x-api-key": "the-key" };
    for (const hostname of OWN_ADDRESSES) {
      const answer = await ask({ port: admin.port, hostname });
      assert.deepEqual([answer.status, answer.code], [403, "admin_not_allowed"], hostname);
      const keyed = await ask({ port: guarded.port, hostname, headers });
      assert.equal(keyed.status, 200, hostname);
    }
  },
});

const BASIC = `Basic ${btoa("ops:secret word")}`;
const METHODS = [
  { auth: "{}", right: {}, wrong: {}, challenge: undefined },
  {
    auth: "{ method: bearer_token, token: the-token }",
    right: { authorization: "Bearer the-token" },
    wrong: { authorization: "Bearer the-tokem" },
    challenge: 'Bearer realm="admin"',
  },
  {
    auth: '{ method: basic, username: ops, password: "secret word" }',
    right: { authorization: BASIC },
    wrong: { authorization: `Basic ${btoa("ops:secret wore")}` },
    challenge: 'Basic realm="admin", charset="UTF-8"',
  },
  {
    auth: "{ method: api_key, api_key: the-key }",
    right: { "x-api-key": "the-key" },
    wrong: { "x-api-key": "the-kez" },
    challenge: 'ApiKey realm="admin"',
  },
] as const;

Deno.test.each(METHODS.slice(1))("admin: with $auth", async ({ auth, right, wrong, challenge }) => {
  await using admin = await startAdmin({ auth });
  const { port } = admin;
  const rightAnswer = await ask({ port, headers: { ...right, host: "admin.example" } });
  assert.equal(rightAnswer.status, 200);
  for (const [headers, code] of [[wrong, "invalid_api_key"], [{}, "missing_api_key"]] as const) {
    const answer = await ask({ port, headers });
    assert.deepEqual([answer.status, answer.code], [401, code]);
    assert.equal(answer.headers.get("www-authenticate"), challenge);
    assert.equal(answer.headers.get("cache-control"), "no-store");
  }
});

Deno.test.each(METHODS)("admin: pages of other origins are refused with $auth", async (row) => {
  await using admin = await startAdmin({ auth: row.auth });
  const { port } = admin;
  for (const origin of ["https://evil.example", "http://localhost:1", "null"]) {
    for (const request of ["GET /admin/events", "POST /admin/stats", "OPTIONS /admin/config"]) {
      const answer = await ask({ port, request, headers: { ...row.right, origin } });
      assert.deepEqual([answer.status, answer.code], [403, "origin_not_allowed"]);
      assert.equal(answer.headers.get("access-control-allow-origin"), undefined);
    }
  }
  const own = { ...row.right, origin: `http://localhost:${port}` };
  assert.equal((await ask({ port, headers: own })).status, 200);
});

Deno.test.each(
  [
    ["GET /admin", 404, "not_found"],
    ["GET /admin/", 404, "not_found"],
    ["GET /admin/unknown", 404, "not_found"],
    ["GET /admin/sessions/", 404, "not_found"],
    ["POST /admin/reload", 404, "not_found"],
    ["GET /admin/sessions/x", 405, "method_not_allowed"],
    ["DELETE /admin/sessions/x", 404, "not_found"],
    ["DELETE /admin/sessions", 405, "method_not_allowed"],
    ["GET /admin/backends/b/circuit/reset", 405, "method_not_allowed"],
    ["POST /admin/backends/b/circuit/reset", 404, "not_found"],
    ["GET /admin/usage?limit=0", 400, "invalid_request"],
    ["GET /admin/usage", 200, null],
    ["GET /admin/stats", 200, null],
    ["GET /admin/config", 200, null],
    ["GET /admin/backends", 200, null],
  ] as const,
)("admin: %s is answered %d %j", async (request, status, code) => {
  await using admin = await startAdmin();
  const answer = await ask({ port: admin.port, request });
  assert.deepEqual([answer.status, answer.code], [status, code]);
});

Deno.test("admin: an operator sees a session without its content, and ends it with 1001 on both legs", async () => {
  await using backend = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [backend.url] });
  await using admin = await startAdmin({ sessions: router.router.sessions });
  const { port } = admin;
  using client = await openRaw({ port: router.port });
  using served = await backend.nextSession();
  await client.sendText("a private question");
  await served.readMessage();
  await served.sendText("a private answer");
  await client.readMessage();
  const { body } = await ask({ port });
  const { sessions: [session], ...rest } = JSON.parse(body);
  assert.deepEqual(rest, {});
  assert.equal(session.state, "open");
  assert.equal(session.backend, "b0");
  assert.equal(session.client_messages, 1);
  assert.equal(session.backend_messages, 1);
  assert.ok(session.client_bytes > 18 && session.backend_bytes > 16);
  assert.ok(!body.includes("private"));
  const ended = await ask({ port, request: `DELETE /admin/sessions/${session.id}` });
  assert.equal(ended.status, 202);
  const close = { code: 1001, reason: "closed by operator" };
  assert.deepEqual(await client.readClose(), close);
  assert.deepEqual(await served.readClose(), close);
  for (const peer of [client, served]) {
    await peer.sendClose(1001);
    peer[Symbol.dispose]();
  }
  await router.router.sessions.whenEmpty();
  assert.equal((await ask({ port })).body, '{"sessions":[]}');
  assert.equal(await router.metric("realtime_sessions_total", { outcome: "completed" }), 1);
});

/** A clock that tells when its last timer is disposed of. */
function watchedClock() {
  const disposed = Promise.withResolvers<void>();
  const clock: Clock = {
    now: systemClock.now,
    after: () => ({ [Symbol.dispose]: () => disposed.resolve() }),
  };
  return { clock, disposed: disposed.promise };
}

/** Opens the stream of events and reads up to its first line. */
async function listenTo(port: number): Promise<RawPeer> {
  const peer = new RawPeer(await Deno.connect({ hostname: "127.0.0.1", port }), { masks: true });
  await peer.write(`GET /admin/events HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  const head = await peer.readHead();
  assert.match(head ?? "", /^HTTP\/1\.1 200 [^]*content-type: text\/event-stream\r\n/i);
  await readUntil(peer, ": connected\n\n");
  return peer;
}

/** Reads until `end` was read. */
async function readUntil(peer: RawPeer, end: string): Promise<string> {
  let text = "";
  while (!text.endsWith(end)) {
    const byte = await peer.readBytes(1);
    assert.ok(byte !== null, `the stream ended after ${JSON.stringify(text)}`);
    text += String.fromCharCode(...byte);
  }
  return text;
}

const FACTS = {
  id: "the-session",
  model: "voice",
  backend: "b0",
  keyId: null,
  clientAddress: "192.0.2.1",
  startedAtMs: 0,
};

Deno.test("admin: events arrive as they happen, and the stream is let go of when the client leaves", async () => {
  const { clock, disposed } = watchedClock();
  await using admin = await startAdmin({ clock });
  const peer = await listenTo(admin.port);
  assert.equal(admin.events.subscriberCount, 1);
  peer[Symbol.dispose]();
  await disposed;
  assert.equal(admin.events.subscriberCount, 0);
  using other = await listenTo(admin.port);
  admin.events.sessionStarted(FACTS);
  const text = await readUntil(other, "}\n\n");
  assert.match(text, /event: session_started\ndata: \{"id":"the-session",/);
});

Deno.test("admin: a stream of events ends in order when the router closes it", async () => {
  await using admin = await startAdmin();
  using peer = await listenTo(admin.port);
  admin.events.close();
  await readUntil(peer, "0\r\n\r\n");
  const refused = await ask({ port: admin.port, request: "GET /admin/events" });
  assert.deepEqual([refused.status, refused.code], [503, "connection_limit_reached"]);
});

Deno.test("admin: an open stream of events does not hold up the end of its listener", async () => {
  const admin = await startAdmin();
  using peer = await listenTo(admin.port);
  await admin.edge.close();
  await peer.readRest();
  assert.equal(admin.events.subscriberCount, 0);
});
