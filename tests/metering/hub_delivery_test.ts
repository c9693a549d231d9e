import assert from "node:assert/strict";
import type { SendOutcome, UsageBatch } from "../../src/metering/hub_client.ts";
import { HubDelivery } from "../../src/metering/hub_delivery.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { RecordingLog } from "../support/recording_log.ts";
import { settled } from "../support/settled.ts";
import { usageRecords } from "../support/usage_records.ts";
import { entriesOf, idsIn, memorySpool } from "./hub_fixture.ts";

const FLUSH_MS = 5_000;
const BATCH_SIZE = 10;
const ACCEPTED = { kind: "accepted" } as const;
const UNREACHABLE = { kind: "failed", cause: "unreachable" } as const;
const ids = (from: number, to: number) => usageRecords(from, to).map(({ record_id }) => record_id);

/** A batch that was sent and has no answer yet. Its id is the ids of its records. */
interface Sent {
  readonly batch: UsageBatch;
  readonly signal: AbortSignal;
  readonly answer: (outcome: SendOutcome) => Promise<void>;
}

function setUp(options: { readonly recorded?: number; readonly maxRecords?: number } = {}) {
  const spool = memorySpool(options.maxRecords);
  const clock = new FakeClock();
  const log = new RecordingLog();
  const sent: Sent[] = [];
  const counts = { delivered: 0, deadLettered: 0, dropped: 0 };
  const add = (name: keyof typeof counts) => (count: number) => {
    counts[name] += count;
  };
  let recorded = 0;
  const record = (count: number) => {
    spool.commit(entriesOf(usageRecords(recorded + 1, recorded + 1 + count), recorded + 1));
    recorded += count;
  };
  const delivery = new HubDelivery({
    spool,
    hub: {
      batchOf: (bodies) => ({
        id: bodies.map((body) => JSON.parse(body).record_id).join(),
        body: bodies.join(),
      }),
      sendRecords: (batch, signal) => {
        const { promise, resolve } = Promise.withResolvers<SendOutcome>();
        signal.addEventListener("abort", () => resolve({ kind: "failed", cause: "stopped" }));
        const answer = async (outcome: SendOutcome) => {
          resolve(outcome);
          await settled();
        };
        sent.push({ batch, signal, answer });
        return promise;
      },
    },
    batchSize: BATCH_SIZE,
    flushIntervalMs: FLUSH_MS,
    clock,
    unixNow: () => Date.parse("2026-01-02T03:04:05Z"),
    random: () => 0,
    log,
    onDelivered: add("delivered"),
    onDeadLettered: add("deadLettered"),
    onDropped: add("dropped"),
  });
  record(options.recorded ?? 0);
  const last = () => sent.at(-1) ?? assert.fail("nothing was sent");
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settled();
  };
  return { spool, clock, log, sent, counts, record, delivery, last, pass };
}

Deno.test("HubDelivery sends what a former run has left at once and removes it when accepted", async () => {
  const { delivery, pass, sent, last, spool, counts, clock } = setUp({ recorded: 3 });
  delivery.start();
  await pass(0);
  assert.equal(last().batch.id, ids(1, 4).join());
  assert.equal(spool.size, 3);
  await last().answer(ACCEPTED);
  assert.equal(spool.size, 0);
  assert.deepEqual(counts, { delivered: 3, deadLettered: 0, dropped: 0 });
  assert.equal(sent.length, 1);
  assert.equal(clock.pending, 1);
});

Deno.test("HubDelivery waits for the flush interval between batches that are not full", async () => {
  const { delivery, pass, sent, last, record } = setUp();
  delivery.start();
  await pass(0);
  assert.equal(sent.length, 0);
  record(4);
  await pass(FLUSH_MS - 1);
  assert.equal(sent.length, 0);
  await pass(1);
  assert.equal(last().batch.id, ids(1, 5).join());
  record(2);
  await last().answer(ACCEPTED);
  await pass(FLUSH_MS - 1);
  assert.equal(sent.length, 1);
  await pass(1);
  assert.equal(last().batch.id, ids(5, 7).join());
});

Deno.test("HubDelivery sends full batches without a pause, one at a time", async () => {
  const { delivery, pass, sent, last, spool } = setUp({ recorded: 25 });
  delivery.start();
  await pass(0);
  await pass(60_000);
  assert.equal(sent.length, 1);
  await last().answer(ACCEPTED);
  await pass(0);
  assert.equal(sent.length, 2);
  assert.equal(last().batch.id, ids(11, 21).join());
  await last().answer(ACCEPTED);
  await pass(0);
  assert.equal(sent.length, 2, "five are no full batch");
  await pass(FLUSH_MS);
  await last().answer(ACCEPTED);
  assert.equal(spool.size, 0);
});

Deno.test("HubDelivery sends a failed batch again as it was, after 1, 2, 4 … 30 s, then goes on", async () => {
  const { delivery, pass, sent, last, record, spool, counts, log } = setUp({ recorded: 3 });
  delivery.start();
  await pass(0);
  const waits = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
  for (const [index, ms] of waits.entries()) {
    await last().answer(UNREACHABLE);
    record(1);
    await pass(ms - 1);
    assert.equal(sent.length, index + 1);
    await pass(1);
    assert.equal(sent.length, index + 2);
    assert.equal(last().batch.id, ids(1, 4).join());
  }
  assert.equal(counts.delivered, 0);
  assert.deepEqual(log.lines.map(({ fields }) => fields["retry_ms"]), waits);
  assert.deepEqual(log.lines[1]?.fields, { cause: "unreachable", failures: 2, retry_ms: 2_000 });
  await last().answer(ACCEPTED);
  assert.equal(log.texts.at(-1), "info the hub takes usage records again");
  assert.deepEqual(idsIn(spool), ids(4, 11));
  await pass(FLUSH_MS);
  assert.equal(last().batch.id, ids(4, 11).join());
  await last().answer(UNREACHABLE);
  assert.equal(log.lines.at(-1)?.fields["retry_ms"], 1_000, "the backoff begins anew");
});

Deno.test.each([
  { retryAfterMs: 100, waitMs: 1_000 },
  { retryAfterMs: 7_000, waitMs: 7_000 },
  { retryAfterMs: 3_600_000, waitMs: 60_000 },
])("HubDelivery asked to wait $retryAfterMs ms waits $waitMs", async ({ retryAfterMs, waitMs }) => {
  const { delivery, pass, sent, last } = setUp({ recorded: 3 });
  delivery.start();
  await pass(0);
  await last().answer({ kind: "failed", cause: "status 429", retryAfterMs });
  await pass(waitMs - 1);
  assert.equal(sent.length, 1);
  await pass(1);
  assert.equal(sent.length, 2);
});

Deno.test("HubDelivery makes refused batches dead letters, and does so slower and slower", async () => {
  const { delivery, pass, sent, last, spool, counts, log } = setUp({ recorded: 35 });
  delivery.start();
  await pass(0);
  await last().answer({ kind: "refused", status: 401 });
  assert.equal(spool.deadLetters, 10);
  assert.deepEqual(idsIn(spool), ids(11, 36));
  assert.deepEqual(log.lines.map(({ level, fields }) => ({ level, ...fields })), [
    { level: "error", status: 401, batch_id: ids(1, 11).join(), records: 10 },
    { level: "warn", cause: "status 401", failures: 1, retry_ms: 1_000 },
  ]);
  await pass(999);
  assert.equal(sent.length, 1);
  await pass(1);
  assert.equal(last().batch.id, ids(11, 21).join());
  await last().answer({ kind: "refused", status: 401 });
  await pass(1_999);
  assert.equal(sent.length, 2);
  await pass(1);
  await last().answer(ACCEPTED);
  assert.deepEqual(counts, { delivered: 10, deadLettered: 20, dropped: 0 });
  assert.deepEqual(idsIn(spool), ids(31, 36));
});

Deno.test("HubDelivery reports dead letters that had to make room", async () => {
  const { delivery, pass, last, record, counts } = setUp({ recorded: 10, maxRecords: 12 });
  delivery.start();
  await pass(0);
  await last().answer({ kind: "refused", status: 400 });
  record(5);
  await pass(1_000);
  await last().answer({ kind: "refused", status: 400 });
  assert.deepEqual(counts, { delivered: 0, deadLettered: 15, dropped: 3 });
});

Deno.test("HubDelivery goes on when a batch on its way was dropped from the full spool", async () => {
  const { delivery, pass, last, record, spool, counts } = setUp({ recorded: 10, maxRecords: 12 });
  delivery.start();
  await pass(0);
  record(8);
  assert.deepEqual(idsIn(spool), ids(7, 19));
  await last().answer(UNREACHABLE);
  await pass(1_000);
  assert.equal(last().batch.id, ids(7, 11).join(), "what is left of it");
  record(12);
  await last().answer(UNREACHABLE);
  await pass(2_000);
  assert.equal(last().batch.id, ids(19, 29).join(), "nothing is left of it");
  record(4);
  await last().answer(ACCEPTED);
  assert.deepEqual(idsIn(spool), ids(29, 35));
  assert.equal(counts.delivered, 10);
});

Deno.test("HubDelivery keeps and sends again what it could not remove", async () => {
  const { delivery, pass, sent, last, spool, log } = setUp({ recorded: 3 });
  const { remove } = spool;
  spool.remove = () => {
    throw new Error("disk is full");
  };
  delivery.start();
  await pass(0);
  await last().answer(ACCEPTED);
  assert.equal(log.lines[0]?.fields["cause"], "spool: disk is full");
  spool.remove = remove;
  await pass(1_000);
  assert.equal(last().batch.id, ids(1, 4).join());
  await last().answer(ACCEPTED);
  assert.equal(sent.length, 2);
  assert.equal(spool.size, 0);
});

Deno.test("HubDelivery.close() sends all that waits, waiting for the batch on its way", async () => {
  const { delivery, pass, sent, last, spool, clock } = setUp({ recorded: 25 });
  delivery.start();
  await pass(0);
  const closing = delivery.close(5_000);
  await settled();
  assert.equal(sent.length, 1);
  for (let batches = 1; batches <= 3; batches++) {
    assert.equal(sent.length, batches);
    await last().answer(ACCEPTED);
  }
  await closing;
  assert.equal(spool.size, 0);
  assert.equal(clock.pending, 0);
});

Deno.test("HubDelivery.close() during a backoff tries once, and leaves the rest in the spool", async () => {
  const { delivery, pass, sent, last, spool, clock } = setUp({ recorded: 25 });
  delivery.start();
  await pass(0);
  await last().answer(UNREACHABLE);
  const closing = delivery.close(5_000);
  await settled();
  assert.equal(sent.length, 2);
  await last().answer(UNREACHABLE);
  await closing;
  assert.equal(sent.length, 2);
  assert.deepEqual(idsIn(spool), ids(1, 26));
  assert.equal(clock.pending, 0);
});

Deno.test("HubDelivery.close() ends after its limit, whatever the hub does", async () => {
  const { delivery, pass, sent, last, spool, clock } = setUp({ recorded: 25 });
  delivery.start();
  await pass(0);
  await last().answer(ACCEPTED);
  const closing = delivery.close(5_000);
  await settled();
  await pass(4_999);
  assert.equal(last().signal.aborted, false);
  await pass(1);
  await closing;
  assert.equal(last().signal.aborted, true);
  assert.equal(sent.length, 2);
  assert.deepEqual(idsIn(spool), ids(11, 26));
  assert.equal(clock.pending, 0);
});

Deno.test("HubDelivery.close() with nothing to send asks for nothing", async () => {
  const { delivery, pass, sent, clock } = setUp();
  delivery.start();
  await pass(0);
  await delivery.close(5_000);
  assert.equal(sent.length, 0);
  assert.equal(clock.pending, 0);
});
