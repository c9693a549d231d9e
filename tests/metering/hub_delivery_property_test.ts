/**
 * Whatever happens to records, hub and disk: nothing is lost but the oldest of a full spool, and every loss is
 * counted. The real classes against a model of plain lists.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { GroupCommit } from "../../src/metering/group_commit.ts";
import { HubClient } from "../../src/metering/hub_client.ts";
import { HubDelivery } from "../../src/metering/hub_delivery.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { RecordingLog } from "../support/recording_log.ts";
import { settled } from "../support/settled.ts";
import { usageRecord } from "../support/usage_records.ts";
import { FakeFetch, idsIn, memorySpool } from "./hub_fixture.ts";

type Step =
  | { readonly kind: "record"; readonly count: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "disk"; readonly works: boolean }
  | { readonly kind: "answer"; readonly status: number }
  /** The hub has the batch, but its answer is lost. */
  | { readonly kind: "cut"; readonly taken: boolean };

const COMMIT_MS = 20;

const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("record"), count: fc.nat(12) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("pass"),
      ms: fc.constantFrom(1, COMMIT_MS, 100, 2_000, 60_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("disk"), works: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("answer"),
      status: fc.constantFrom(204, 204, 204, 400, 408, 429, 500, 503),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut"), taken: fc.boolean() }) },
);

Deno.test("records are delivered, dead letters, waiting or, the oldest of a full spool, counted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 8 }),
      async (steps, maxRecords, batchSize) => {
        const run = new Run(maxRecords, batchSize);
        for (const step of steps) await run.take(step);
        await run.drain();
      },
    ),
    { numRuns: 300 },
  );
});

class Run {
  readonly #maxRecords: number;
  readonly #batchSize: number;
  readonly #clock = new FakeClock();
  readonly #fake = new FakeFetch();
  readonly #spool;
  readonly #commit: GroupCommit;
  #diskWorks = true;
  #recorded = 0;
  /** What the hub has, by id. */
  readonly #taken = new Map<string, string>();
  readonly #counts = { delivered: 0, deadLettered: 0, dropped: 0 };
  /** The model. */
  #waiting: string[] = [];
  #spooled: string[] = [];
  readonly #dead: string[] = [];
  readonly #gone: string[] = [];

  constructor(maxRecords: number, batchSize: number) {
    this.#maxRecords = maxRecords;
    this.#batchSize = batchSize;
    this.#spool = memorySpool(maxRecords);
    const { commit } = this.#spool;
    this.#spool.commit = (entries) => {
      if (!this.#diskWorks) throw new Error("disk is full");
      return commit.call(this.#spool, entries);
    };
    const shared = { clock: this.#clock, random: () => 0, log: new RecordingLog() };
    const onDropped = (count: number) => {
      this.#counts.dropped += count;
    };
    this.#commit = new GroupCommit({ ...shared, spool: this.#spool, onDropped });
    new HubDelivery({
      ...shared,
      spool: this.#spool,
      hub: new HubClient({
        ...shared,
        url: "http://hub",
        token: "t",
        routerId: "r",
        unixNow: () => 0,
        fetch: this.#fake.fetch,
      }),
      batchSize,
      flushIntervalMs: 5_000,
      unixNow: () => 0,
      onDelivered: (count) => {
        this.#counts.delivered += count;
      },
      onDeadLettered: (count) => {
        this.#counts.deadLettered += count;
      },
      onDropped,
    }).start();
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case "record":
        for (let i = 0; i < step.count; i++) {
          const record = usageRecord(++this.#recorded);
          this.#waiting.push(record.record_id);
          this.#commit.record(record);
        }
        break;
      case "pass":
        await this.#pass(step.ms);
        break;
      case "disk":
        this.#diskWorks = step.works;
        break;
      case "answer":
        await this.#answer(step.status);
        break;
      case "cut":
        await this.#cut(step.taken);
        break;
    }
    this.#check();
  }

  /** In the end hub and disk work: the hub gets all that waits. */
  async drain(): Promise<void> {
    this.#diskWorks = true;
    await this.#pass(60_000);
    for (let rounds = 0; this.#spooled.length > 0; rounds++) {
      assert.ok(rounds < 200, "the spool does not become empty");
      await this.#answer(204);
      await this.#pass(60_000);
    }
    this.#check();
    assert.equal(this.#waiting.length, 0);
    const accounted = new Set([...this.#taken.keys(), ...this.#dead, ...this.#gone]);
    assert.equal(accounted.size, this.#recorded);
  }

  async #pass(ms: number): Promise<void> {
    // In small steps: when a request is made and when a commit happens must not be mixed up by the model.
    for (let left = ms; left > 0; left -= COMMIT_MS) {
      const waiting = this.#commit.waiting;
      this.#clock.advance(Math.min(left, COMMIT_MS));
      if (this.#commit.waiting < waiting) this.#commitModel();
      const asked = this.#fake.requests.length;
      await settled();
      if (this.#fake.requests.length > asked) this.#checkBatch();
      // Nothing is going to happen but the next timer, which is far away.
      if (ms > 100 && this.#requestIsOpen && this.#waiting.length === 0) break;
    }
  }

  #commitModel(): void {
    this.#spooled.push(...this.#waiting);
    this.#waiting = [];
    this.#gone.push(...this.#spooled.splice(0, this.#spooled.length - this.#maxRecords));
  }

  get #requestIsOpen(): boolean {
    return this.#fake.requests.at(-1)?.open ?? false;
  }

  #batch(): { readonly ids: readonly string[]; readonly texts: readonly string[] } {
    const { records } = JSON.parse(String(this.#fake.last.init.body));
    const texts: string[] = records.map((record: unknown) => JSON.stringify(record));
    return { ids: texts.map((text) => JSON.parse(text).record_id), texts };
  }

  /** A batch is the oldest of what waits, and at most so many. */
  #checkBatch(): void {
    const { ids } = this.#batch();
    assert.ok(ids.length > 0 && ids.length <= this.#batchSize);
    assert.deepEqual(ids, this.#spooled.slice(0, ids.length));
  }

  async #answer(status: number): Promise<void> {
    if (!this.#requestIsOpen) return;
    const { ids } = this.#batch();
    if (status === 204) this.#takeBatch();
    this.#fake.last.answer(new Response(null, { status }));
    await settled();
    if (status !== 204 && status !== 400) return;
    const kept = this.#spooled.filter((id) => ids.includes(id));
    this.#spooled = this.#spooled.filter((id) => !ids.includes(id));
    if (status === 204) return;
    this.#dead.push(...kept);
    this.#gone.push(...this.#dead.splice(0, this.#dead.length - this.#maxRecords));
  }

  async #cut(taken: boolean): Promise<void> {
    if (!this.#requestIsOpen) return;
    if (taken) this.#takeBatch();
    this.#fake.last.fail();
    await settled();
  }

  #takeBatch(): void {
    const { ids, texts } = this.#batch();
    ids.forEach((id, index) => {
      const text = texts[index] ?? "";
      assert.equal(this.#taken.get(id) ?? text, text, "a record came with two contents");
      this.#taken.set(id, text);
    });
  }

  #check(): void {
    assert.deepEqual(idsIn(this.#spool), this.#spooled);
    assert.equal(this.#spool.size, this.#spooled.length);
    assert.equal(this.#spool.deadLetters, this.#dead.length);
    assert.equal(this.#commit.waiting, this.#waiting.length);
    assert.equal(this.#counts.dropped, this.#gone.length);
  }
}
