/** How sessions end, as seen from both sides. */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { freePort } from "../support/free_port.ts";
import { openRaw } from "../support/raw_client.ts";
import { OPCODE, type RawPeer, textOf } from "../support/raw_peer.ts";
import { startTestRouter, type TestRouter } from "../support/test_router.ts";

const CODES = [
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014],
  ...[3000, 3999, 4000, 4999],
];
const REASONS = [
  { name: "no reason", reason: "" },
  { name: "one byte", reason: "x" },
  { name: "123 bytes", reason: "x".repeat(123) },
  { name: "many languages", reason: "끝 é \u{1F44B}" },
];

interface Pair {
  readonly router: TestRouter;
  readonly fake: FakeBackend;
}

async function withRouter(
  run: (pair: Pair) => Promise<void>,
  options: { readonly resettable?: boolean; readonly realtime?: string } = {},
): Promise<void> {
  await using fake = await FakeBackend.listen({ resettable: options.resettable ?? false });
  await using router = await startTestRouter({
    backends: [fake.url],
    realtime: options.realtime ?? "",
  });
  await run({ router, fake });
}

async function open({ router, fake }: Pair, resettable = false) {
  const client = await openRaw({ port: router.port, resettable });
  const backend = await fake.nextSession();
  // Until the router has the backend's 101, a client that leaves is one that left while connecting.
  await backend.sendText("ready");
  assert.equal(textOf(await client.readMessage()), "ready");
  return { client, backend };
}

for (const side of ["client", "backend"] as const) {
  Deno.test(`close by ${side}: code and reason reach the other side, and are echoed`, async (t) => {
    await withRouter(async (pair) => {
      for (const code of CODES) {
        for (const { name, reason } of REASONS) {
          await t.step(`${code}, ${name}`, async () => {
            const { client, backend } = await open(pair);
            using closer = side === "client" ? client : backend;
            using other = side === "client" ? backend : client;
            await closer.sendClose(code, reason);
            assert.deepEqual(await other.readClose(), { code, reason });
            await other.sendClose(code, reason);
            assert.deepEqual(await closer.readClose(), { code, reason });
            await assertNothingMore(closer);
            await assertNothingMore(other);
          });
        }
      }
      await ended(pair);
      const outcome = { backend: "b0", outcome: "completed" };
      assert.equal(
        await pair.router.metric("realtime_sessions_total", outcome),
        CODES.length * REASONS.length,
      );
    });
  });

  Deno.test(`close by ${side}: an empty close frame stays empty`, async () => {
    await withRouter(async (pair) => {
      const { client, backend } = await open(pair);
      using closer = side === "client" ? client : backend;
      using other = side === "client" ? backend : client;
      await closer.sendClose();
      assert.deepEqual(await other.readClose(), { code: null, reason: "" });
      await other.sendClose();
      assert.deepEqual(await closer.readClose(), { code: null, reason: "" });
    });
  });

  for (const how of ["fin", "rst"] as const) {
    Deno.test(`${side} ends with ${how} and no close frame: the other side gets 1011`, async () => {
      await withRouter(async (pair) => {
        const { client, backend } = await open(pair, true);
        using leaver = side === "client" ? client : backend;
        using other = side === "client" ? backend : client;
        if (how === "rst") leaver.reset();
        else leaver[Symbol.dispose]();
        assert.deepEqual(await other.readClose(), {
          code: 1011,
          reason: `${side} connection lost`,
        });
        await other.sendClose(1011);
        await assertNothingMore(other);
        await ended(pair);
        const outcome = { backend: "b0", outcome: `${side}_abort` };
        assert.equal(await pair.router.metric("realtime_sessions_total", outcome), 1);
        await leaver.conn.closed;
      }, { resettable: true });
    });
  }

  Deno.test(`close by ${side} after a burst: everything arrives before the close frame`, async () => {
    await withRouter(async (pair) => {
      const { client, backend } = await open(pair);
      using closer = side === "client" ? client : backend;
      using other = side === "client" ? backend : client;
      const sending = (async () => {
        for (let i = 0; i < 400; i++) await closer.sendText(`${i}:${"x".repeat(2500)}`);
        await closer.sendClose(1012, "restart");
      })();
      for (let i = 0; i < 400; i++) {
        assert.ok(textOf(await other.readMessage())?.startsWith(`${i}:`));
      }
      assert.deepEqual(await other.readClose(), { code: 1012, reason: "restart" });
      await sending;
    });
  });

  Deno.test(`text of ${side} that is not UTF-8: 1007 to it, 1011 to the other`, async () => {
    await withRouter(async (pair) => {
      const { client, backend } = await open(pair);
      using sender = side === "client" ? client : backend;
      using other = side === "client" ? backend : client;
      await sender.send({ opcode: OPCODE.text, payload: new Uint8Array([0x61, 0xff, 0xfe]) });
      assert.equal((await sender.readClose())?.code, 1007);
      assert.deepEqual(await other.readClose(), {
        code: 1011,
        reason: `${side} connection lost`,
      });
      sender[Symbol.dispose]();
      other[Symbol.dispose]();
      await ended(pair);
      const outcome = { backend: "b0", outcome: `${side}_abort` };
      assert.equal(await pair.router.metric("realtime_sessions_total", outcome), 1);
    });
  });
}

Deno.test("both sides close at once: one close frame each, and nothing after it", async () => {
  await withRouter(async (pair) => {
    for (let run = 0; run < 50; run++) {
      const { client, backend } = await open(pair);
      using _client = client;
      using _backend = backend;
      await Promise.all([client.sendClose(4001, "a"), backend.sendClose(4002, "b")]);
      const toClient = await client.readClose();
      const toBackend = await backend.readClose();
      assert.ok(toClient !== null && toBackend !== null);
      await assertNothingMore(client);
      await assertNothingMore(backend);
    }
  });
});

const CONNECT_FAILURES = [
  { name: "401", answer: "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n" },
  { name: "200", answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" },
  { name: "a redirect", answer: "HTTP/1.1 301 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n" },
  { name: "garbage", answer: "SSH-2.0-OpenSSH_9\r\n\r\n" },
  { name: "nothing", answer: "" },
];

Deno.test("a backend that does not accept: 1011 to the client, outcome and breaker", async (t) => {
  await withRouter(async (pair) => {
    for (const { name, answer } of CONNECT_FAILURES) {
      await t.step(name, async () => {
        using client = await openRaw({ port: pair.router.port });
        const connection = await pair.fake.nextConnection();
        await connection.readRequest();
        await connection.peer.write(answer);
        connection.peer[Symbol.dispose]();
        assert.deepEqual(await client.readClose(), {
          code: 1011,
          reason: "backend connection failed",
        });
      });
    }
    await ended(pair);
    const outcome = { backend: "b0", outcome: "backend_connect_failed" };
    assert.equal(
      await pair.router.metric("realtime_sessions_total", outcome),
      CONNECT_FAILURES.length,
    );
    assert.equal(await pair.router.metric("realtime_session_duration_seconds_count"), 0);
  });
});

Deno.test("a backend that accepts wrongly: 1011 to the client", async (t) => {
  const spoil: Readonly<Record<string, (acceptance: string) => string>> = {
    "wrong key": (text) => text.replace(/Accept: .*\r/, "Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r"),
    "an extension": (text) =>
      text.replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"),
    "a subprotocol": (text) =>
      text.replace("\r\n\r\n", "\r\nSec-WebSocket-Protocol: realtime\r\n\r\n"),
    "no upgrade": (text) => text.replace("Upgrade: websocket\r\n", ""),
  };
  await withRouter(async (pair) => {
    for (const [name, change] of Object.entries(spoil)) {
      await t.step(name, async () => {
        using client = await openRaw({ port: pair.router.port });
        const connection = await pair.fake.nextConnection();
        await connection.peer.write(change(await connection.acceptance()));
        assert.equal((await client.readClose())?.code, 1011);
        connection.peer[Symbol.dispose]();
      });
    }
  });
});

Deno.test("a backend that is not there: 1011 to the client, nothing left behind", async () => {
  const port = freePort();
  await using router = await startTestRouter({ backends: [`ws://127.0.0.1:${port}`] });
  using client = await openRaw({ port: router.port });
  assert.equal((await client.readClose())?.code, 1011);
  client[Symbol.dispose]();
  await router.router.sessions.whenEmpty();
  assert.equal(router.router.permitsHeld(), 0);
  assert.equal(router.router.openTickets(), 0);
});

Deno.test("handshake_timeout is one deadline over a backend that trickles its 101", async () => {
  await withRouter(async (pair) => {
    const startedMs = performance.now();
    using client = await openRaw({ port: pair.router.port });
    const connection = await pair.fake.nextConnection();
    const acceptance = await connection.acceptance();
    let stopped = false;
    const trickling = (async () => {
      for (const character of acceptance) {
        if (stopped) return;
        await connection.peer.write(character).catch(() => stopped = true);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    assert.equal((await client.readClose())?.code, 1011);
    const tookMs = performance.now() - startedMs;
    stopped = true;
    await trickling;
    assert.ok(tookMs >= 300 && tookMs < 800, `took ${tookMs} ms`);
  }, { realtime: 'handshake_timeout: "300ms"' });
});

Deno.test("a client that leaves while connecting: the dial is given up", async (t) => {
  for (const how of ["close frame", "rst"] as const) {
    await t.step(how, async () => {
      await withRouter(async (pair) => {
        using client = await openRaw({ port: pair.router.port, resettable: true });
        const connection = await pair.fake.nextConnection();
        await connection.readRequest();
        if (how === "rst") client.reset();
        else {
          await client.sendClose(1000, "never mind");
          assert.deepEqual(await client.readClose(), { code: 1000, reason: "never mind" });
        }
        await connection.peer.readRest();
        await ended(pair);
        const outcome = { backend: "b0", outcome: "client_abort" };
        assert.equal(await pair.router.metric("realtime_sessions_total", outcome), 1);
        client[Symbol.dispose]();
        await client.conn.closed;
      });
    });
  }
});

Deno.test("max_sessions: 50 at once against 3 give exactly three 101s", async () => {
  await withRouter(async (pair) => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 50 }, () => openRaw({ port: pair.router.port })),
    );
    const opened = attempts.flatMap((attempt) =>
      attempt.status === "fulfilled" ? [attempt.value] : []
    );
    assert.equal(opened.length, 3);
    for (const attempt of attempts) {
      if (attempt.status === "rejected") assert.match(String(attempt.reason), /503/);
    }
    for (const client of opened) client[Symbol.dispose]();
    await ended(pair);
    assert.equal(await pair.router.metric("realtime_active_sessions"), 0);
    using again = await openRaw({ port: pair.router.port });
    assert.ok(again);
  }, { realtime: "max_sessions: 3" });
});

/** Waits until the router has no session, and checks that nothing is held. */
async function ended({ router }: Pair): Promise<void> {
  await router.router.sessions.whenEmpty();
  assert.equal(router.router.permitsHeld(), 0);
  assert.equal(router.router.openTickets(), 0);
  assert.equal(await router.metric("realtime_active_sessions"), 0);
}

async function assertNothingMore(peer: RawPeer): Promise<void> {
  assert.equal((await peer.readRest()).length, 0);
}
