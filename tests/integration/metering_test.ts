/** Metering through whole sessions: what becomes a record, and when (spec §8). */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { openRaw } from "../support/raw_client.ts";
import { encodeFrame, OPCODE, type RawPeer, textOf } from "../support/raw_peer.ts";
import { MODEL, startTestRouter, type TestRouter } from "../support/test_router.ts";

interface Session {
  readonly router: TestRouter;
  readonly client: RawPeer;
  readonly backend: RawPeer;
  readonly clock: FakeClock;
}

async function withSession(
  run: (session: Session) => Promise<void>,
  options: { readonly yaml?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const clock = new FakeClock();
  await using fake = await FakeBackend.listen();
  await using router = await startTestRouter({
    backends: [fake.url],
    realtime: 'idle_timeout: "0"',
    yaml: options.yaml ?? "",
    clock,
  });
  using client = await openRaw({ port: router.port, headers: options.headers ?? {} });
  using backend = await fake.nextSession();
  await run({ router, client, backend, clock });
}

const created = (id: string) => JSON.stringify({ type: "response.created", response: { id } });
const done = (id: string, response: Record<string, unknown> = {}) =>
  JSON.stringify({ type: "response.done", response: { id, status: "completed", ...response } });

/** Sends a text and waits until the client has it. */
async function pass({ client, backend }: Session, text: string): Promise<void> {
  await backend.sendText(text);
  assert.equal(textOf(await client.readMessage()), text);
}

async function end({ router, client, backend }: Session): Promise<void> {
  await client.sendClose(1000);
  await backend.readClose();
  await backend.sendClose(1000);
  backend[Symbol.dispose]();
  await client.readRest();
  client[Symbol.dispose]();
  await router.router.sessions.whenEmpty();
}

const events = (router: TestRouter, result: string) =>
  router.metric("realtime_usage_events_total", { backend: "b0", result });

const YAML = [
  "api_keys:",
  "  api_keys:",
  "    - { key: metering-key, id: console, user_id: u1, organization_id: o1 }",
].join("\n");

Deno.test("metering: five turns are five records with everything in them", async () => {
  await withSession(async (session) => {
    const { router, clock } = session;
    for (let turn = 1; turn <= 5; turn++) {
      await pass(session, created(`resp_${turn}`));
      clock.advance(100 * turn);
      const usage = {
        input_tokens: 1000,
        output_tokens: 50 + turn,
        input_token_details: { cached_tokens: 900 },
      };
      await pass(session, done(`resp_${turn}`, { usage, model: "not-this-one" }));
    }
    await end(session);
    const records = router.router.usage.recent.newestFirst(10).toReversed();
    assert.equal(records.length, 5);
    for (const [index, record] of records.entries()) {
      const turn = index + 1;
      const { record_id, request_id, timestamp, ...rest } = record;
      assert.equal(request_id, records[0]?.request_id);
      assert.match(request_id, /^[0-9a-f-]{36}$/);
      assert.equal(record_id, `${request_id}:${turn}`);
      assert.ok(!Number.isNaN(Date.parse(timestamp)));
      assert.deepEqual(rest, {
        attempt_seq: turn,
        endpoint: "/v1/realtime",
        model: MODEL,
        backend: "b0",
        api_key_id: "console",
        user_id: "u1",
        organization_id: "o1",
        stream: true,
        http_status: 101,
        input_tokens: 100,
        cached_input_tokens: 900,
        output_tokens: 50 + turn,
        latency_ms: 100 * turn,
        ttft_absent_reason: "not_observed",
        token_source: "engine_final",
        outcome: "completed",
        status_reason: "absent",
      });
    }
    assert.equal(await events(router, "recorded"), 5);
    const labels = { api_key: "console", model: MODEL, backend: "b0" };
    assert.equal(await router.metric("llm_tokens_total", { ...labels, type: "input" }), 500);
    assert.equal(
      await router.metric("llm_tokens_total", { ...labels, type: "cached_input" }),
      4500,
    );
    assert.equal(await router.metric("llm_tokens_total", { ...labels, type: "output" }), 265);
  }, { yaml: YAML, headers: { authorization: "Bearer metering-key" } });
});

Deno.test("metering: what is not read does no harm to what is", async () => {
  await withSession(async (session) => {
    const { router, client, backend } = session;
    await pass(session, `{"type":"response.output_audio.delta","delta":"${"A".repeat(300_000)}"}`);
    await pass(session, "not JSON");
    await pass(session, "[1]");
    await backend.send({ opcode: OPCODE.binary, payload: done("resp_b") });
    await client.readMessage();
    await client.sendText(done("resp_c"));
    await backend.readMessage();
    await pass(session, done("resp_1"));
    await end(session);
    assert.equal(await events(router, "oversized"), 1);
    assert.equal(await events(router, "unparsed"), 2);
    assert.equal(await events(router, "recorded"), 1);
    assert.equal(router.router.usage.recent.newestFirst(10).length, 1);
  });
});

Deno.test("metering: a response that is not done when the client leaves is in flight", async () => {
  await withSession(async (session) => {
    const { router } = session;
    await pass(session, created("resp_1"));
    await end(session);
    assert.equal(await events(router, "session_closed_in_flight"), 1);
    assert.equal(router.router.usage.recent.newestFirst(10).length, 0);
  });
});

Deno.test("metering: response.done in the packet of the close frame is recorded", async () => {
  await withSession(async (session) => {
    const { router, client, backend } = session;
    await pass(session, created("resp_1"));
    const text = encodeFrame({ opcode: OPCODE.text, payload: done("resp_1") }, { masked: false });
    const close = encodeFrame({ opcode: OPCODE.close }, { masked: false });
    await backend.write(new Uint8Array([...text, ...close]));
    assert.equal(textOf(await client.readMessage()), done("resp_1"));
    assert.deepEqual(await client.readClose(), { code: null, reason: "" });
    await client.sendClose();
    await router.router.sessions.whenEmpty();
    assert.equal(await events(router, "recorded"), 1);
    assert.equal(await events(router, "session_closed_in_flight"), 0);
  });
});

Deno.test("metering: an accepted record is there before the session ends", async () => {
  await withSession(async (session) => {
    const { router } = session;
    await pass(session, done("resp_1"));
    assert.equal(await events(router, "recorded"), 1);
    assert.equal(router.router.usage.statistics.snapshot(0).total_requests, 1);
    await end(session);
  });
});
