import assert from "node:assert/strict";
import {
  HubClient,
  MAX_CREDENTIALS_BYTES,
  REQUEST_TIMEOUT_MS,
} from "../../src/metering/hub_client.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { settled } from "../support/settled.ts";
import { usageRecords } from "../support/usage_records.ts";
import { FakeFetch } from "./hub_fixture.ts";

const NOW = Date.parse("2026-01-02T03:04:05Z");
const NEVER = new AbortController().signal;
const RECORDS = usageRecords(1, 4).map((record) => JSON.stringify(record));

function setUp(url = "https://hub.example.com") {
  const clock = new FakeClock();
  const fake = new FakeFetch();
  const hub = new HubClient({
    url,
    token: "hub-token",
    routerId: 'router "1"',
    clock,
    unixNow: () => NOW,
    fetch: fake.fetch,
  });
  return { clock, fake, hub };
}

Deno.test("HubClient.batchOf() is JSON with the router, the batch and the records as they are", () => {
  const { hub } = setUp();
  const batch = hub.batchOf(RECORDS);
  assert.deepEqual(JSON.parse(batch.body), {
    router_id: 'router "1"',
    batch_id: batch.id,
    records: usageRecords(1, 4),
  });
  assert.match(batch.id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

Deno.test("HubClient.batchOf() gives the same records the same id and any others another", () => {
  const { hub } = setUp();
  const { id } = hub.batchOf(RECORDS);
  assert.equal(setUp("http://elsewhere").hub.batchOf([...RECORDS]).id, id);
  const others = [
    RECORDS.slice(1),
    RECORDS.toReversed(),
    [...RECORDS, ...RECORDS],
    [RECORDS.join("\n")].map((text) => `${text} `),
  ];
  const distinct = new Set([id, ...others.map((records) => hub.batchOf(records).id)]);
  assert.equal(distinct.size, others.length + 1);
});

Deno.test.each([
  { url: "https://hub.example.com", expected: "https://hub.example.com/v1/usage/records" },
  { url: "https://hub.example.com/", expected: "https://hub.example.com/v1/usage/records" },
  { url: "http://[::1]:9/a/b//", expected: "http://[::1]:9/a/b/v1/usage/records" },
])("HubClient.sendRecords() to $url asks for $expected", async ({ url, expected }) => {
  const { fake, hub } = setUp(url);
  const batch = hub.batchOf(RECORDS);
  const sending = hub.sendRecords(batch, NEVER);
  assert.equal(fake.last.url, expected);
  const { method, redirect, body, headers } = fake.last.init;
  assert.deepEqual({ method, redirect, body, headers }, {
    method: "POST",
    redirect: "manual",
    body: batch.body,
    headers: { "content-type": "application/json", authorization: "Bearer hub-token" },
  });
  fake.last.answer(new Response(null, { status: 204 }));
  assert.deepEqual(await sending, { kind: "accepted" });
});

Deno.test.each([
  { status: 200, outcome: { kind: "accepted" } },
  { status: 202, outcome: { kind: "accepted" } },
  { status: 204, outcome: { kind: "accepted" } },
  { status: 301, outcome: { kind: "failed", cause: "status 301" } },
  { status: 307, outcome: { kind: "failed", cause: "status 307" } },
  { status: 400, outcome: { kind: "refused", status: 400 } },
  { status: 401, outcome: { kind: "refused", status: 401 } },
  { status: 404, outcome: { kind: "refused", status: 404 } },
  { status: 408, outcome: { kind: "failed", cause: "status 408" } },
  { status: 413, outcome: { kind: "refused", status: 413 } },
  { status: 429, outcome: { kind: "failed", cause: "status 429" } },
  { status: 499, outcome: { kind: "refused", status: 499 } },
  { status: 500, outcome: { kind: "failed", cause: "status 500" } },
  { status: 503, outcome: { kind: "failed", cause: "status 503" } },
  { status: 599, outcome: { kind: "failed", cause: "status 599" } },
])("HubClient.sendRecords() answered $status", async ({ status, outcome }) => {
  const { fake, hub } = setUp();
  const sending = hub.sendRecords(hub.batchOf(RECORDS), NEVER);
  fake.last.answer(new Response(null, { status }));
  assert.deepEqual(await sending, outcome);
});

Deno.test.each([
  { value: "7", retryAfterMs: 7_000 },
  { value: "Fri, 02 Jan 2026 03:04:35 GMT", retryAfterMs: 30_000 },
])("HubClient.sendRecords() reads retry-after: $value", async ({ value, retryAfterMs }) => {
  const { fake, hub } = setUp();
  const sending = hub.sendRecords(hub.batchOf(RECORDS), NEVER);
  fake.last.answer(new Response(null, { status: 429, headers: { "retry-after": value } }));
  assert.deepEqual(await sending, { kind: "failed", cause: "status 429", retryAfterMs });
});

Deno.test.each([200, 400, 500])(
  "HubClient.sendRecords() answered %i reads nothing of the body",
  async (status) => {
    const { fake, hub } = setUp();
    const seen = { read: 0, cancelled: false };
    const body = new ReadableStream({
      pull: (controller) => {
        seen.read++;
        controller.enqueue(new Uint8Array(1024));
      },
      cancel: () => {
        seen.cancelled = true;
      },
    }, { highWaterMark: 0 });
    const sending = hub.sendRecords(hub.batchOf(RECORDS), NEVER);
    fake.last.answer(new Response(body, { status }));
    await sending;
    assert.deepEqual(seen, { read: 0, cancelled: true });
  },
);

Deno.test("HubClient.sendRecords() without a connection: unreachable", async () => {
  const { clock, fake, hub } = setUp();
  const sending = hub.sendRecords(hub.batchOf(RECORDS), NEVER);
  fake.last.fail();
  assert.deepEqual(await sending, { kind: "failed", cause: "unreachable" });
  assert.equal(clock.pending, 0);
});

Deno.test("HubClient.sendRecords() ends a request that takes 30 s", async () => {
  const { clock, fake, hub } = setUp();
  const sending = hub.sendRecords(hub.batchOf(RECORDS), NEVER);
  clock.advance(REQUEST_TIMEOUT_MS - 1);
  assert.equal(fake.last.aborted, false);
  clock.advance(1);
  assert.equal(fake.last.aborted, true);
  assert.deepEqual(await sending, { kind: "failed", cause: "timeout" });
});

Deno.test("HubClient.sendRecords() ends when it is told to stop", async () => {
  const { clock, fake, hub } = setUp();
  const stop = new AbortController();
  const sending = hub.sendRecords(hub.batchOf(RECORDS), stop.signal);
  stop.abort();
  assert.equal(fake.last.aborted, true);
  assert.deepEqual(await sending, { kind: "failed", cause: "stopped" });
  assert.equal(clock.pending, 0);
});

Deno.test("HubClient.fetchCredentials() asks with the token and gives the text", async () => {
  const { clock, fake, hub } = setUp("https://hub.example.com/base/");
  const asking = hub.fetchCredentials(NEVER);
  assert.equal(fake.last.url, "https://hub.example.com/base/v1/backends/credentials");
  const { method = "GET", redirect, headers } = fake.last.init;
  assert.deepEqual({ method, redirect, headers }, {
    method: "GET",
    redirect: "manual",
    headers: { accept: "application/json", authorization: "Bearer hub-token" },
  });
  fake.last.answer(new Response('{"credentials":{}}'));
  assert.deepEqual(await asking, { kind: "answer", text: '{"credentials":{}}' });
  assert.equal(clock.pending, 0);
});

Deno.test.each([
  { status: 302, cause: "status 302" },
  { status: 401, cause: "status 401" },
  { status: 503, cause: "status 503" },
])("HubClient.fetchCredentials() answered $status fails", async ({ status, cause }) => {
  const { fake, hub } = setUp();
  const asking = hub.fetchCredentials(NEVER);
  fake.last.answer(new Response(null, { status }));
  assert.deepEqual(await asking, { kind: "failed", cause });
});

Deno.test("HubClient.fetchCredentials() takes 1 MiB and no byte more", async () => {
  for (const bytes of [MAX_CREDENTIALS_BYTES, MAX_CREDENTIALS_BYTES + 1]) {
    const { fake, hub } = setUp();
    const asking = hub.fetchCredentials(NEVER);
    fake.last.answer(new Response(new Uint8Array(bytes)));
    const { kind } = await asking;
    assert.equal(kind, bytes > MAX_CREDENTIALS_BYTES ? "failed" : "answer");
  }
});

Deno.test("HubClient.fetchCredentials() ends when the body takes too long", async () => {
  const { clock, fake, hub } = setUp();
  const asking = hub.fetchCredentials(NEVER);
  const body = new ReadableStream({
    start: (controller) =>
      fake.last.init.signal?.addEventListener("abort", () => controller.error(new Error("cut"))),
  });
  fake.last.answer(new Response(body));
  await settled();
  clock.advance(REQUEST_TIMEOUT_MS);
  assert.deepEqual(await asking, { kind: "failed", cause: "timeout" });
});
