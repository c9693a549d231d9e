/** Every ending of a session, on both legs, plain and over TLS, as one table (spec §6). */

import assert from "node:assert/strict";
import { type Authority, makeAuthority } from "../support/certificates.ts";
import { FakeBackend } from "../support/fake_backend.ts";
import { openRaw } from "../support/raw_client.ts";
import { OPCODE, type RawPeer, textOf } from "../support/raw_peer.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

/** What a row has to work with. */
interface Session {
  readonly router: TestRouter;
  readonly client: RawPeer;
  readonly backend: RawPeer;
}

interface Close {
  readonly code: number | null;
  readonly reason: string;
}

/** One ending. A side that gets no close frame has `null`: it left, and the other side is told. */
interface Row {
  readonly name: string;
  readonly realtime?: string;
  readonly end: (session: Session) => void | Promise<void>;
  readonly client: Close | null;
  readonly backend: Close | null;
  readonly outcome: string;
}

const BOTH = (code: number, reason: string) => ({
  client: { code, reason },
  backend: { code, reason },
});
const LOST = (side: string): Close => ({ code: 1011, reason: `${side} connection lost` });

const ROWS: readonly Row[] = [
  {
    name: "the client closes",
    end: ({ client }) => client.sendClose(1001, "bye"),
    ...BOTH(1001, "bye"),
    outcome: "completed",
  },
  {
    name: "the backend closes",
    end: ({ backend }) => backend.sendClose(4000, "done"),
    ...BOTH(4000, "done"),
    outcome: "completed",
  },
  {
    name: "the client closes with an empty frame",
    end: ({ client }) => client.sendClose(),
    client: { code: null, reason: "" },
    backend: { code: null, reason: "" },
    outcome: "completed",
  },
  {
    name: "the backend closes with an empty frame",
    end: ({ backend }) => backend.sendClose(),
    client: { code: null, reason: "" },
    backend: { code: null, reason: "" },
    outcome: "completed",
  },
  {
    name: "the client is gone (FIN)",
    end: ({ client }) => client[Symbol.dispose](),
    client: null,
    backend: LOST("client"),
    outcome: "client_abort",
  },
  {
    name: "the backend is gone (FIN)",
    end: ({ backend }) => backend[Symbol.dispose](),
    client: LOST("backend"),
    backend: null,
    outcome: "backend_abort",
  },
  {
    name: "the client is gone (RST)",
    end: ({ client }) => client.reset(),
    client: null,
    backend: LOST("client"),
    outcome: "client_abort",
  },
  {
    name: "the backend is gone (RST)",
    end: ({ backend }) => backend.reset(),
    client: LOST("backend"),
    backend: null,
    outcome: "backend_abort",
  },
  {
    name: "the client breaks the protocol",
    end: ({ client }) => client.send({ opcode: 5 }),
    client: { code: 1002, reason: "reserved opcode" },
    backend: LOST("client"),
    outcome: "client_abort",
  },
  {
    name: "the backend breaks the protocol",
    end: ({ backend }) => backend.send({ opcode: 5 }),
    client: LOST("backend"),
    backend: { code: 1002, reason: "reserved opcode" },
    outcome: "backend_abort",
  },
  {
    name: "the client sends too much",
    end: ({ client }) => client.send({ opcode: OPCODE.binary, claimedLength: 5_000_000n }),
    client: { code: 1009, reason: "message too big" },
    backend: LOST("client"),
    outcome: "client_abort",
  },
  {
    name: "the backend sends too much",
    end: ({ backend }) => backend.send({ opcode: OPCODE.binary, claimedLength: 5_000_000n }),
    client: LOST("backend"),
    backend: { code: 1009, reason: "message too big" },
    outcome: "backend_abort",
  },
  {
    name: "nothing passes for idle_timeout",
    realtime: 'idle_timeout: "100ms"',
    end: () => {},
    ...BOTH(1000, "idle timeout"),
    outcome: "idle_timeout",
  },
  {
    name: "max_session_duration passes",
    realtime: 'max_session_duration: "150ms"',
    end: () => {},
    ...BOTH(1000, "max session duration"),
    outcome: "max_duration",
  },
  {
    name: "the operator closes it",
    end: ({ router }) => router.router.sessions.endAll({ kind: "operator" }),
    ...BOTH(1001, "closed by operator"),
    outcome: "completed",
  },
  {
    name: "the router shuts down",
    end: ({ router }) => void router.router.drain(),
    ...BOTH(1001, "server shutting down"),
    outcome: "completed",
  },
];

const WIRES = [
  { name: "plain", clientTls: false, backendTls: false },
  { name: "TLS to the client", clientTls: true, backendTls: false },
  { name: "TLS to the backend", clientTls: false, backendTls: true },
] as const;

const authority = await makeAuthority();

for (const wire of WIRES) {
  for (const row of ROWS) {
    Deno.test(`ending: ${row.name} (${wire.name})`, async () => {
      await runRow(row, { ...wire, authority });
    });
  }
}

async function runRow(
  row: Row,
  wire: {
    readonly clientTls: boolean;
    readonly backendTls: boolean;
    readonly authority: Authority;
  },
): Promise<void> {
  const identity = await wire.authority.issue({ names: ["127.0.0.1"] });
  const { caPem } = wire.authority;
  await using fake = await FakeBackend.listen({
    resettable: true,
    ...wire.backendTls ? { tls: identity } : {},
  });
  await using router = await startTestRouter({
    backends: [fake.url],
    realtime: row.realtime ?? "",
    caCerts: [caPem],
    ...wire.clientTls ? { tls: identity } : {},
  });
  using client = await openRaw({
    port: router.port,
    resettable: true,
    caPem: wire.clientTls ? caPem : undefined,
  });
  using backend = await fake.nextSession();
  await backend.sendText("ready");
  assert.equal(textOf(await client.readMessage()), "ready");
  assert.equal(await router.metric("realtime_active_sessions", { backend: "b0" }), 1);

  await row.end({ router, client, backend });
  await Promise.all([
    assertClose(client, row.client, "client"),
    assertClose(backend, row.backend, "backend"),
  ]);
  await router.router.sessions.whenEmpty();

  const labels = { backend: "b0", outcome: row.outcome };
  assert.equal(await router.metric("realtime_sessions_total", labels), 1);
  assert.equal(await router.metric("realtime_session_duration_seconds_count"), 1);
  assert.equal(await router.metric("realtime_active_sessions", { backend: "b0" }), 0);
  assert.equal(router.router.permitsHeld(), 0);
  assert.equal(router.router.openTickets(), 0);
  client[Symbol.dispose]();
  await client.conn.closed;
}

/** Reads the close frame, answers it as a peer does, and checks that nothing comes behind it. */
async function assertClose(peer: RawPeer, expected: Close | null, side: string): Promise<void> {
  if (expected === null) return;
  assert.deepEqual(await peer.readClose(), expected, `close frame to the ${side}`);
  // It may have been the one to close; then its answer is a second frame that nobody reads.
  await peer.sendClose(expected.code ?? undefined).catch(() => {});
  assert.equal((await peer.readRest()).length, 0, `after the close frame to the ${side}`);
}
