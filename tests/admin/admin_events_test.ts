import assert from "node:assert/strict";
import { AdminEvents } from "../../src/admin/mod.ts";
import type { SessionFacts, SessionReport } from "../../src/realtime/mod.ts";
import { usageRecord } from "./usage_record.ts";

const FACTS: SessionFacts = {
  id: "3f0b8f0e-0000-4000-8000-000000000000",
  model: "음성\nvoice",
  backend: "one",
  keyId: "key-1",
  clientAddress: "192.0.2.7",
  startedAtMs: Date.UTC(2027, 0, 1),
};

const REPORT: SessionReport = {
  ending: { kind: "closed", by: "client", close: { code: 1000, reason: "private words" } },
  outcome: "completed",
  establishedMs: 1_000,
  durationMs: 1_250,
  clientMessages: 1,
  clientBytes: 20,
  backendMessages: 3,
  backendBytes: 400,
  usageRecords: 2,
};

/** The events that a subscriber is sent while `act` runs: their names and data. */
function eventsOf(act: (events: AdminEvents) => void): readonly unknown[] {
  const events = new AdminEvents();
  using subscription = events.subscribe();
  act(events);
  const texts: unknown[] = [];
  for (;;) {
    const delivery = subscription?.take();
    if (delivery === undefined) return texts;
    assert.ok(delivery.kind === "event");
    const text = new TextDecoder().decode(delivery.event);
    const match = /^event: ([a-z_]+)\ndata: (.*)\n\n$/.exec(text);
    assert.ok(match !== null, text);
    texts.push([match[1], JSON.parse(match[2] ?? "")]);
  }
}

const SHOWN = {
  id: FACTS.id,
  model: FACTS.model,
  backend: "one",
  api_key_id: "key-1",
  client_address: "192.0.2.7",
  started_at: "2027-01-01T00:00:00.000Z",
};

Deno.test("AdminEvents tells starts and ends of sessions and usage records, in order", () => {
  const told = eventsOf((events) => {
    events.sessionStarted(FACTS);
    events.record(usageRecord());
    events.sessionEnded(FACTS, REPORT);
  });
  assert.deepEqual(told, [
    ["session_started", SHOWN],
    ["usage_record", usageRecord()],
    ["session_ended", {
      ...SHOWN,
      outcome: "completed",
      duration_seconds: 1.25,
      client_messages: 1,
      client_bytes: 20,
      backend_messages: 3,
      backend_bytes: 400,
      usage_records: 2,
    }],
  ]);
});

Deno.test("AdminEvents tells no close reason: it is the peers' own text", () => {
  const told = eventsOf((events) => events.sessionEnded(FACTS, REPORT));
  assert.ok(!JSON.stringify(told).includes("private words"));
});

Deno.test("AdminEvents does nothing while nobody listens", () => {
  const events = new AdminEvents();
  const unreadable = new Proxy(usageRecord(), {
    ownKeys: () => {
      throw new Error("read");
    },
  });
  events.record(unreadable);
  events.subscribe();
  assert.throws(() => events.record(unreadable), /read/);
});

Deno.test("AdminEvents has at most 16 subscribers, and none once closed", () => {
  const events = new AdminEvents();
  const all = Array.from({ length: 17 }, () => events.subscribe());
  assert.equal(all.filter((subscription) => subscription !== null).length, 16);
  assert.equal(events.subscriberCount, 16);
  events.close();
  assert.equal(events.subscriberCount, 0);
  assert.equal(events.subscribe(), null);
});

Deno.test("AdminEvents keeps 256 events for one that does not read", () => {
  const events = new AdminEvents();
  using subscription = events.subscribe();
  for (let attempt = 1; attempt <= 300; attempt++) events.record(usageRecord(attempt));
  assert.deepEqual(subscription?.take(), { kind: "dropped", count: 44 });
  let left = 0;
  while (subscription?.take() !== undefined) left++;
  assert.equal(left, 256);
});
