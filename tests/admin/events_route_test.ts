import assert from "node:assert/strict";
import { settled } from "../support/settled.ts";
import { AdminFixture } from "./admin_fixture.ts";
import { usageRecord } from "./usage_record.ts";

/** A stream that a test reads piece by piece. */
class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(response: Response) {
    assert.ok(response.body !== null);
    this.#reader = response.body.getReader();
  }

  /** The next piece of text; null at the end. */
  async next(): Promise<string | null> {
    const { done, value } = await this.#reader.read();
    return done ? null : new TextDecoder().decode(value);
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

async function open(admin: AdminFixture): Promise<EventReader> {
  const reader = new EventReader(await admin.fetch("/admin/events"));
  assert.equal(await reader.next(), ": connected\n\n");
  return reader;
}

Deno.test("GET /admin/events is a stream of events that nobody keeps", async () => {
  const admin = new AdminFixture();
  const response = await admin.fetch("/admin/events");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("cache-control"), "no-store");
  await response.body?.cancel();
});

Deno.test("GET /admin/events tells what happens, when it happens", async () => {
  const admin = new AdminFixture();
  const reader = await open(admin);
  const next = reader.next();
  await settled();
  admin.events.record(usageRecord());
  assert.equal(await next, `event: usage_record\ndata: ${JSON.stringify(usageRecord())}\n\n`);
  await reader.cancel();
});

Deno.test("GET /admin/events says every 15 s of silence that it lives", async () => {
  const admin = new AdminFixture();
  const reader = await open(admin);
  for (let beats = 0; beats < 3; beats++) {
    let text: string | null = "";
    const next = reader.next().then((read) => text = read);
    await settled();
    admin.clock.advance(14_999);
    await settled();
    assert.equal(text, "");
    admin.clock.advance(1);
    await next;
    assert.equal(text, ": heartbeat\n\n");
    assert.equal(admin.clock.pending, 0);
  }
  await reader.cancel();
});

Deno.test("GET /admin/events puts an event before the heartbeat that is due with it", async () => {
  const admin = new AdminFixture();
  const reader = await open(admin);
  const next = reader.next();
  await settled();
  admin.clock.advance(15_000);
  admin.events.record(usageRecord());
  assert.match(await next ?? "", /^event: usage_record\n/);
  await reader.cancel();
});

Deno.test("GET /admin/events tells a client that did not keep up how much it has lost", async () => {
  const admin = new AdminFixture();
  const reader = await open(admin);
  for (let attempt = 1; attempt <= 258; attempt++) admin.events.record(usageRecord(attempt));
  assert.equal(await reader.next(), 'event: dropped\ndata: {"count":2}\n\n');
  assert.match(await reader.next() ?? "", /"attempt_seq":3,/);
  await reader.cancel();
});

Deno.test("GET /admin/events lets go of a client that leaves, whether something is awaited or not", async () => {
  const admin = new AdminFixture();
  const quiet = await open(admin);
  const waiting = await open(admin);
  const next = waiting.next();
  await settled();
  assert.equal(admin.events.subscriberCount, 2);
  assert.equal(admin.clock.pending, 1);
  await quiet.cancel();
  await waiting.cancel();
  assert.equal(await next, null);
  await settled();
  assert.equal(admin.events.subscriberCount, 0);
  assert.equal(admin.clock.pending, 0);
});

Deno.test("GET /admin/events ends when the router closes", async () => {
  const admin = new AdminFixture();
  const quiet = await open(admin);
  const waiting = await open(admin);
  const next = waiting.next();
  await settled();
  admin.events.close();
  assert.equal(await next, null);
  assert.equal(await quiet.next(), null);
  assert.equal(admin.clock.pending, 0);
});

Deno.test("GET /admin/events refuses the seventeenth stream until another one ends", async () => {
  const admin = new AdminFixture();
  const readers: EventReader[] = [];
  for (let streams = 0; streams < 16; streams++) readers.push(await open(admin));
  const refused = await admin.fetch("/admin/events");
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "30");
  assert.equal((await refused.json()).error.code, "connection_limit_reached");
  await readers.pop()?.cancel();
  readers.push(await open(admin));
  for (const reader of readers) await reader.cancel();
  assert.equal(admin.events.subscriberCount, 0);
});

Deno.test.each(["HEAD", "POST"].map((method) => ({ method })))(
  "GET /admin/events: $method opens no stream",
  async ({ method }) => {
    const admin = new AdminFixture();
    const response = await admin.fetch("/admin/events", { method });
    await response.body?.cancel();
    assert.equal(response.status, 405);
    assert.equal(admin.events.subscriberCount, 0);
  },
);
