/** What operators see and do while a whole router serves: its stream of events, and its circuits. */

import assert from "node:assert/strict";
import { FakeBackend } from "../support/fake_backend.ts";
import { openRaw } from "../support/raw_client.ts";
import { startTestRouter } from "../support/test_router.ts";

const SAID = "what nobody else may read";
const DONE = JSON.stringify({
  type: "response.done",
  response: {
    id: "resp_0001_0001",
    status: "completed",
    output: [SAID],
    usage: { input_tokens: 12, output_tokens: 7, input_token_details: { cached_tokens: 2 } },
  },
});

/** Events of a stream of server-sent events, in their order. */
async function* eventsOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let text = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end; (end = text.indexOf("\n\n")) !== -1; text = text.slice(end + 2)) {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(text.slice(0, end));
      if (match !== null) yield { name: match[1], data: JSON.parse(match[2] ?? "") };
    }
  }
}

Deno.test("admin: the stream tells of a session, its record and its end, and of nothing that was said", async () => {
  await using fake = await FakeBackend.listen();
  await using test = await startTestRouter({ backends: [fake.url] });
  const stream = await fetch(`http://localhost:${test.port}/admin/events`);
  assert.ok(stream.body !== null);
  const events = eventsOf(stream.body);
  const next = async () => (await events.next()).value ?? assert.fail("the stream has ended");

  using client = await openRaw({ port: test.port });
  using backend = await fake.nextSession();
  const started = await next();
  assert.equal(started.name, "session_started");
  await client.sendText(SAID);
  await backend.readMessage();
  await backend.sendText(DONE);
  await client.readMessage();
  const record = await next();
  assert.equal(record.name, "usage_record");
  assert.deepEqual(
    [record.data.request_id, record.data.input_tokens, record.data.cached_input_tokens],
    [started.data.id, 10, 2],
  );
  await client.sendClose(1000);
  for (const peer of [backend, client]) await peer.readClose();
  client[Symbol.dispose]();
  backend[Symbol.dispose]();
  const ended = await next();
  assert.equal(ended.name, "session_ended");
  const { outcome, usage_records, client_messages, backend_messages, ...facts } = ended.data;
  assert.deepEqual([outcome, usage_records, client_messages, backend_messages], [
    "completed",
    1,
    1,
    1,
  ]);
  assert.equal(facts.id, started.data.id);
  assert.doesNotMatch(JSON.stringify([started, record, ended]), new RegExp(`${SAID}|resp_`));
  await events.return();

  const usage = await (await fetch(`http://localhost:${test.port}/admin/usage?limit=1`)).json();
  assert.deepEqual(usage, { records: [record.data] });
  const stats = await (await fetch(`http://localhost:${test.port}/admin/stats`)).json();
  assert.deepEqual(stats.tokens, { input: 10, cached_input: 2, output: 7 });
  assert.equal(stats.realtime.sessions_total.completed, 1);
});

Deno.test("admin: a circuit that failures have opened refuses sessions until an operator resets it", async () => {
  const fake = await FakeBackend.listen();
  const { port: backendPort } = fake;
  await fake[Symbol.asyncDispose]();
  await using test = await startTestRouter({
    backends: [fake.url],
    yaml: "circuit_breaker: { failure_threshold: 1 }",
  });
  const { port } = test;
  using failed = await openRaw({ port });
  assert.equal((await failed.readClose())?.code, 1011);
  failed[Symbol.dispose]();
  await assert.rejects(openRaw({ port }), /503/);
  await using back = await FakeBackend.listen({ port: backendPort });
  await assert.rejects(openRaw({ port }), /503/, "the circuit, not the backend, refuses");

  const url = `http://localhost:${port}/admin/backends/b0/circuit/reset`;
  const reset = await (await fetch(url, { method: "POST" })).json();
  assert.deepEqual([reset.name, reset.circuit], ["b0", "closed"]);
  using client = await openRaw({ port });
  using backend = await back.nextSession();
  await backend.sendText("again");
  assert.notEqual(await client.readMessage(), null);
  client[Symbol.dispose]();
  backend[Symbol.dispose]();
  await test.router.sessions.whenEmpty();
});
