/**
 * Sessions over TLS through a proxy in front of a router: what must pass as it is.
 *
 * @module
 */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { openRaw } from "../support/raw_client.ts";
import { OPCODE, type RawPeer } from "../support/raw_peer.ts";
import { RUNTIME_DIR, startTestRouter } from "../support/test_router.ts";
import { needing, type PROGRAMS } from "./installed_program.ts";

/** The name that the sites have and their certificates are good for. */
export const NAME = "voice.example.com";

/** A router behind a proxy on the same machine, as the proxies' files ask for it. */
const SERVER = `server: { bind_address: "127.0.0.1:0", runtime_dir: "${RUNTIME_DIR}", ` +
  `drain_timeout: "0", trust_proxy: true, allowed_hosts: [${NAME}, localhost] }`;
const LARGE = 300_000;
/** What a proxy or a parser might be tempted to change. */
const MESSAGES = [
  {
    opcode: OPCODE.text,
    payload: '{ "type" : "x",\r\n"a":1.0, "a":1e2, "s":"\\u00e9é한국어\u2028🙂" }\n',
  },
  { opcode: OPCODE.text, payload: "" },
  { opcode: OPCODE.binary, payload: Uint8Array.from({ length: 256 }, (_, i) => i) },
  { opcode: OPCODE.binary, payload: new Uint8Array(0) },
  { opcode: OPCODE.text, payload: "a".repeat(LARGE) },
  { opcode: OPCODE.binary, payload: Uint8Array.from({ length: LARGE }, (_, i) => (i * 31) & 0xff) },
] as const;
const CLOSES = [
  { from: "client", code: 1001, reason: "going away" },
  { from: "client", code: 4000, reason: "사용자 종료" },
  { from: "backend", code: 1001, reason: "" },
  { from: "backend", code: 4000, reason: "quota" },
] as const;

/** A running proxy. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Authority of its certificate. */
  readonly caPem: string;
}

/** Starts a proxy in front of a port of this machine. */
export type StartProxy = (upstreamPort: number) => Promise<Proxy>;

interface Legs {
  readonly client: RawPeer;
  readonly backend: RawPeer;
}

/** A session from a client through a proxy and a router to a backend. */
async function withSession(start: StartProxy, visit: (legs: Legs) => Promise<void>): Promise<void> {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url], yaml: SERVER });
  await using proxy = await start(router.port);
  using client = await openRaw({
    port: proxy.port,
    caPem: proxy.caPem,
    headers: { host: `${NAME}:${proxy.port}`, origin: `https://${NAME}:${proxy.port}` },
  });
  using backend = await fake.nextSession();
  await visit({ client, backend });
  for (const peer of [client, backend]) peer[Symbol.dispose]();
  await router.router.sessions.whenEmpty();
}

/** Declares the tests that a proxy must pass. */
export function testSessionsThrough(program: keyof typeof PROGRAMS, start: StartProxy): void {
  Deno.test({
    ...needing(program, `${program}: messages pass byte-identically both ways`),
    async fn() {
      await withSession(start, async ({ client, backend }) => {
        const ways = [{ from: client, to: backend }, { from: backend, to: client }];
        for (const { from, to } of ways) {
          for (const message of MESSAGES) {
            await from.send(message);
            const { opcode, payload } = await to.readMessage() ?? {};
            const sent = typeof message.payload === "string"
              ? new TextEncoder().encode(message.payload)
              : message.payload;
            assert.equal(opcode, message.opcode);
            assert.deepEqual(payload, sent);
          }
        }
      });
    },
  });

  for (const { from, code, reason } of CLOSES) {
    Deno.test({
      ...needing(
        program,
        `${program}: close ${code} "${reason}" from the ${from} arrives as it is`,
      ),
      async fn() {
        await withSession(start, async ({ client, backend }) => {
          const [ender, other] = from === "client" ? [client, backend] : [backend, client];
          // The backend leg is open for both sides from here on.
          await backend.sendText("ready");
          await client.readMessage();
          await ender.sendClose(code, reason);
          assert.deepEqual(await other.readClose(), { code, reason });
          await other.sendClose(code, reason);
          assert.deepEqual(await ender.readClose(), { code, reason });
          await client.readRest();
          assert.equal(client.end, "fin");
        });
      },
    });
  }

  Deno.test({
    ...needing(
      program,
      `${program}: passes on Host with its port, and no X-Forwarded-For of the client's`,
    ),
    async fn() {
      await using fake = await FakeBackend.listen();
      await using proxy = await start(fake.port);
      const host = `${NAME}:${proxy.port}`;
      const opened = openRaw({
        port: proxy.port,
        caPem: proxy.caPem,
        headers: { host, "x-forwarded-for": "203.0.113.9" },
      });
      const connection = await fake.nextConnection();
      const head = await connection.readRequest();
      await connection.accept();
      using _client = await opened;
      const values = (name: string) =>
        [...head.matchAll(new RegExp(`^${name}: (.*)\\r$`, "gim"))].map(([, value]) => value);
      assert.deepEqual(values("host"), [host]);
      assert.deepEqual(values("x-forwarded-for"), ["127.0.0.1"]);
      assert.deepEqual([
        values("upgrade"),
        values("connection").map((value) => value?.toLowerCase()),
      ], [["websocket"], ["upgrade"]]);
    },
  });

  Deno.test({
    ...needing(
      program,
      `${program}: clients reach the router's probes and nothing that is for operators`,
    ),
    async fn() {
      await using router = await startTestRouter({ yaml: SERVER });
      await using proxy = await start(router.port);
      using client = Deno.createHttpClient({ caCerts: [proxy.caPem] });
      const ask = async (path: string) => {
        const response = await fetch(`https://localhost:${proxy.port}${path}`, { client });
        await response.text();
        return [response.status, response.headers.has("x-request-id")];
      };
      assert.deepEqual(await ask("/health"), [200, true]);
      for (const path of ["/metrics", "/admin", "/admin/config", "/console", "/console/"]) {
        assert.deepEqual(await ask(path), [404, false], path);
      }
      assert.deepEqual(await ask("/administration"), [404, true]);
    },
  });
}
