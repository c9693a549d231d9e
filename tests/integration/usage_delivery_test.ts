/** Usage of both protocols on its way through a whole router to the hub (spec §8, §9, §11). */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { HttpExchange } from "../support/http_exchange.ts";
import { TestHub } from "../support/hub.ts";
import { openRaw } from "../support/raw_client.ts";
import { textOf } from "../support/raw_peer.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { MODEL, startTestRouter } from "../support/test_router.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

Deno.test("usage: requests that all have the client's same id, and sessions, reach the hub each for itself", async () => {
  await using dir = await makeTempDir();
  await using hub = await TestHub.start();
  await using failing = await FakeBackend.listen();
  await using backend = await FakeBackend.listen();
  const router = await startTestRouter({
    backends: [failing.url, backend.url],
    yaml: [
      "api_keys: { mode: blocking, api_keys: [{ key: k-secret, id: k, user_id: u }] }",
      "circuit_breaker: { failure_threshold: 1 }",
      `control_plane: { enabled: true, url: "${hub.url}", token: hub-token, router_id: r, ` +
      `spool_path: "${dir.at("usage.db")}", flush_interval: "10ms" }`,
    ].join("\n"),
  });
  const headers = { "authorization": "Bearer k-secret", "x-request-id": "always-the-same" };
  const ask = async () => {
    const body = JSON.stringify({ model: MODEL });
    const path = `${router.origin}/v1/chat/completions`;
    const answer = await fetch(path, { method: "POST", headers, body });
    await answer.text();
    return answer.headers.get("x-request-id");
  };
  const usage = { prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } };
  const answered = JSON.stringify({ usage: { ...usage, completion_tokens: 7 } });

  const first = ask();
  await (await HttpExchange.next(failing)).respond(503, "{}");
  await (await HttpExchange.next(backend)).respond(200, answered);
  assert.equal(await first, "always-the-same");
  const second = ask();
  await (await HttpExchange.next(backend)).respond(200, answered);
  await second;

  using client = await openRaw({ port: router.port, headers });
  using peer = await backend.nextSession();
  const done = JSON.stringify({
    type: "response.done",
    response: { id: "a", status: "completed", usage: { input_tokens: 1, output_tokens: 2 } },
  });
  for (let turn = 0; turn < 2; turn++) {
    await peer.sendText(done);
    assert.equal(textOf(await client.readMessage()), done);
  }
  await hub.whenTaken(5);
  await router[Symbol.asyncDispose]();

  assert.deepEqual(hub.conflicts, []);
  const records = [...hub.records.values()].map((text) => JSON.parse(text));
  const shown = records.map((record) => {
    const [uuid, attempt] = record.record_id.split(":");
    assert.match(uuid, UUID);
    assert.equal(record.attempt_seq, Number(attempt));
    assert.deepEqual([record.api_key_id, record.user_id, record.model], ["k", "u", MODEL]);
    return {
      uuid,
      isClients: record.request_id === "always-the-same",
      tried: [record.backend, record.http_status, record.attempt_seq, record.parent_attempt],
      tokens: [record.input_tokens, record.cached_input_tokens, record.output_tokens],
      ended: [record.outcome, record.token_source],
    };
  });
  const uuids = shown.map(({ uuid }) => uuid);
  assert.deepEqual(shown.map(({ uuid: _uuid, ...rest }) => rest), [
    {
      isClients: true,
      tried: ["b0", 503, 1, undefined],
      tokens: [0, 0, 0],
      ended: ["upstream_error", "none"],
    },
    {
      isClients: true,
      tried: ["b1", 200, 2, 1],
      tokens: [3, 2, 7],
      ended: ["completed", "engine_final"],
    },
    {
      isClients: true,
      tried: ["b1", 200, 1, undefined],
      tokens: [3, 2, 7],
      ended: ["completed", "engine_final"],
    },
    ...[1, 2].map((attempt) => ({
      isClients: false,
      tried: ["b1", 101, attempt, undefined],
      tokens: [1, 0, 2],
      ended: ["completed", "engine_final"],
    })),
  ]);
  assert.deepEqual([uuids[0], uuids[3]], [uuids[1], uuids[4]]);
  assert.equal(new Set(uuids).size, 3);
});
