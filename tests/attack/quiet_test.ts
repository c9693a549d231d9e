/**
 * A session that is quiet for longer than any built-in timer of the runtime (spec §6 "Deadlines").
 *
 * Needs what `memory_test.ts` needs. Takes 70 s, since the runtime's timers cannot be faked.
 */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { openRaw } from "../support/raw_client.ts";
import { textOf } from "../support/raw_peer.ts";
import { startTestRouter } from "../support/test_router.ts";

/** The built-in server pings after 15 s and gives up after 30 s; middleboxes after 60 s. */
const QUIET_MS = 70_000;

Deno.test("no built-in ping or timer touches a quiet session whose peers answer nothing", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({
    backends: [fake.url],
    realtime: 'idle_timeout: "0"',
  });
  using client = await openRaw({ port: router.port });
  using backend = await fake.nextSession();
  await backend.sendText("before");
  assert.equal(textOf(await client.readMessage()), "before");
  const next = Promise.all([client.readFrame(), backend.readFrame()]);
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  await Promise.all([client.sendText("after"), backend.sendText("after")]);
  for (const frame of await next) assert.equal(textOf(frame), "after");
});
