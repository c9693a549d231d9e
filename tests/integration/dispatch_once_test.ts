/** A request reaches a backend once, even when that cuts the connection (spec §11). */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { MODEL, startTestRouter } from "../support/test_router.ts";

const ANSWER = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";

Deno.test("dispatch: a POST is not sent again behind the router's back", async () => {
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({ backends: [fake.url.replace("ws:", "http:")] });
  const ask = async () => {
    const response = await fetch(`${router.origin}/v1/embeddings`, {
      method: "POST",
      body: JSON.stringify({ model: MODEL }),
    });
    await response.body?.cancel();
    return response.status;
  };
  const first = ask();
  const kept = (await fake.nextConnection()).peer;
  assert.match(await kept.readHead() ?? "", /^POST /);
  await kept.write(ANSWER);
  assert.equal(await first, 200);

  const second = ask();
  const { peer } = await fake.nextConnection();
  assert.match(await peer.readHead() ?? "", /^POST /);
  peer[Symbol.dispose]();
  assert.equal(await second, 502);
  assert.equal(fake.connectionCount, 2);
  assert.equal(router.router.usage.recent.newestFirst(10).length, 2);
});
