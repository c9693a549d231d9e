/** Sides that take nothing, and end all the same: the other one hears of it at once (spec §6 "Grace"). */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { openRaw } from "../support/raw_client.ts";
import { closeBody, OPCODE, type RawPeer } from "../support/raw_peer.ts";
import { startTestRouter } from "../support/test_router.ts";

const MEBIBYTE = { opcode: OPCODE.binary, payload: new Uint8Array(1024 * 1024) } as const;

/** Sends until nothing is taken any more, or the connection is gone. */
async function flood(peer: RawPeer): Promise<void> {
  try {
    for (let sent = 0; sent < 64; sent++) await peer.send(MEBIBYTE);
  } catch {
    // The router has ended it.
  }
}

for (const side of ["client", "backend"] as const) {
  for (const ping of [false, true]) {
    const name = `${side} that reads nothing${ping ? ", and has pinged" : ""}`;
    Deno.test(`the close frame of a ${name}, reaches the other side at once`, async () => {
      await using fake = await FakeBackend.listen();
      await using router = await startTestRouter({ backends: [fake.url] });
      using client = await openRaw({ port: router.port });
      using backend = await fake.nextSession();
      const [own, other] = side === "client" ? [client, backend] : [backend, client];
      const flooding = flood(other);
      const paused = {
        direction: side === "client" ? "backend_to_client" : "client_to_backend",
      };
      // Each look is a round trip to the router, which reads meanwhile.
      while (await router.metric("realtime_backpressure_pauses_total", paused) === 0) {
        await (await fetch(`${router.origin}/health`)).body?.cancel();
      }
      if (ping) await own.send({ opcode: OPCODE.ping, payload: "p" });
      await own.send({ opcode: OPCODE.close, payload: closeBody(4_000, "enough") });
      const startedMs = performance.now();
      assert.deepEqual(await other.readClose(), { code: 4_000, reason: "enough" });
      assert.ok(performance.now() - startedMs < 2_000);
      own[Symbol.dispose]();
      await flooding;
      other[Symbol.dispose]();
      await router.router.sessions.whenEmpty();
      const ended = { backend: "b0", outcome: "completed" };
      assert.equal(await router.metric("realtime_sessions_total", ended), 1);
    });
  }
}
