/** A drain and plain HTTP: an answer that is under way arrives. */

import assert from "node:assert/strict";
import { makeAuthority } from "../support/certificates.ts";
import { MODEL, startTestRouter } from "../support/test_router.ts";

Deno.test("drain: an HTTP answer that is under way arrives whole", async () => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await using backend = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async () => {
    asked.resolve();
    await gate.promise;
    return Response.json({ done: "x".repeat(300_000) });
  });
  await using router = await startTestRouter({
    backends: [`http://127.0.0.1:${backend.addr.port}`],
    yaml: `server: { bind_address: "127.0.0.1:0", runtime_dir: /tmp/realtime-router-tests, ` +
      `drain_timeout: "20s" }`,
  });
  const answer = fetch(`${router.origin}/v1/chat/completions`, {
    method: "POST",
    headers: { connection: "close" },
    body: JSON.stringify({ model: MODEL }),
  });
  await asked.promise;
  const drained = router.router.drain();
  gate.resolve();
  const response = await answer;
  assert.equal(response.status, 200);
  assert.equal((await response.json()).done.length, 300_000);
  await drained;
});

Deno.test("close: a TLS client that never begins its handshake does not hold it up", async () => {
  const identity = await (await makeAuthority()).issue({ names: ["127.0.0.1"] });
  const router = await startTestRouter({ tls: identity });
  using silent = await Deno.connect({ hostname: "127.0.0.1", port: router.port });
  const startedMs = performance.now();
  await router.router.close();
  assert.ok(performance.now() - startedMs < 2_000);
  assert.equal(await silent.read(new Uint8Array(1)).catch(() => null), null);
});
