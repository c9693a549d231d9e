import assert from "node:assert/strict";
import { type CommitTarget, GroupCommit, MAX_WAITING } from "../../src/metering/group_commit.ts";
import type { Spool, SpoolEntry } from "../../src/metering/spool.ts";
import { FakeClock } from "../support/fake_clock.ts";
import { RecordingLog } from "../support/recording_log.ts";
import { settled } from "../support/settled.ts";
import { usageRecord, usageRecords } from "../support/usage_records.ts";
import { idsIn, memorySpool } from "./hub_fixture.ts";

const COMMIT_MS = 20;

/** A spool whose disk fails when the test says so. */
class FragileSpool implements CommitTarget {
  readonly spool: Spool;
  /** Sizes of the groups that came. */
  readonly groups: number[] = [];
  fails: "never" | "before commit" | "after commit" = "never";
  syncs = 0;
  syncFails = false;

  constructor(spool: Spool) {
    this.spool = spool;
  }

  get lastSeq(): number {
    return this.spool.lastSeq;
  }

  commit(entries: readonly SpoolEntry[]): number {
    this.groups.push(entries.length);
    if (this.fails === "before commit") throw new Error("disk is full");
    const dropped = this.spool.commit(entries);
    if (this.fails === "after commit") throw new Error("disk is full");
    return dropped;
  }

  sync(): Promise<void> {
    this.syncs++;
    return this.syncFails ? Promise.reject(new Error("disk on fire")) : Promise.resolve();
  }
}

function setUp(maxRecords = 20_000) {
  const spool = new FragileSpool(memorySpool(maxRecords));
  const clock = new FakeClock();
  const log = new RecordingLog();
  const lost = { count: 0 };
  const commit = new GroupCommit({
    spool,
    clock,
    log,
    random: () => 0,
    onDropped: (count) => {
      lost.count += count;
    },
  });
  const record = (from: number, to = from + 1) =>
    usageRecords(from, to).forEach((one) => commit.record(one));
  const committed = () => idsIn(spool.spool);
  return { spool, clock, log, lost, commit, record, committed };
}

const ids = (from: number, to: number) => usageRecords(from, to).map(({ record_id }) => record_id);

Deno.test("GroupCommit.record() touches no spool; one timer commits the group", () => {
  const { spool, clock, commit, record, committed } = setUp();
  record(1);
  clock.advance(COMMIT_MS - 1);
  record(2, 40);
  assert.equal(clock.pending, 1);
  assert.deepEqual(spool.groups, []);
  assert.equal(commit.waiting, 39);
  clock.advance(1);
  assert.deepEqual(spool.groups, [39]);
  assert.deepEqual(committed(), ids(1, 40));
  assert.equal(commit.waiting, 0);
  assert.equal(clock.pending, 0);
});

Deno.test("GroupCommit commits a record within 20 ms, whatever comes before and after it", () => {
  const { clock, record, committed } = setUp();
  for (let n = 1; n <= 100; n++) {
    record(n);
    clock.advance(7);
    assert.ok(committed().length >= n - 3, `${n}`);
  }
  clock.advance(COMMIT_MS);
  assert.deepEqual(committed(), ids(1, 101));
});

Deno.test("GroupCommit splits what is more than one transaction should take", () => {
  const { spool, clock, record, committed } = setUp();
  record(1, 601);
  clock.advance(COMMIT_MS);
  assert.deepEqual(spool.groups, [256, 256, 88]);
  assert.deepEqual(committed(), ids(1, 601));
});

Deno.test("GroupCommit syncs after each commit; a disk that cannot is reported once", async () => {
  const { spool, clock, log, record } = setUp();
  spool.syncFails = true;
  for (const n of [1, 2, 3]) {
    record(n);
    clock.advance(COMMIT_MS);
    await settled();
  }
  assert.equal(spool.syncs, 3);
  assert.deepEqual(log.texts, ["error usage spool cannot be synced"]);
  assert.equal(log.lines[0]?.fields["detail"], "disk on fire");
});

Deno.test("GroupCommit keeps what a failing spool does not take and tries again, later and later", () => {
  const { spool, clock, log, record, committed, commit } = setUp();
  spool.fails = "before commit";
  record(1, 3);
  clock.advance(COMMIT_MS);
  record(3, 5);
  clock.advance(999);
  assert.equal(spool.groups.length, 1);
  clock.advance(1);
  assert.deepEqual(spool.groups, [2, 4]);
  clock.advance(2_000);
  assert.equal(spool.groups.length, 3);
  spool.fails = "never";
  clock.advance(3_999);
  assert.equal(commit.waiting, 4);
  clock.advance(1);
  assert.deepEqual(committed(), ids(1, 5));
  assert.deepEqual(log.texts, [
    ...Array(3).fill("error usage spool takes no records"),
    "info usage spool takes records again",
  ]);
  assert.deepEqual(log.lines[0]?.fields, { detail: "disk is full", waiting: 2 });
  record(5);
  clock.advance(COMMIT_MS);
  assert.deepEqual(committed(), ids(1, 6));
});

Deno.test("GroupCommit has each record once when a commit fails that had worked", () => {
  const { spool, clock, record, committed } = setUp();
  spool.fails = "after commit";
  record(1, 4);
  clock.advance(COMMIT_MS);
  record(4);
  spool.fails = "never";
  clock.advance(1_000);
  record(5);
  clock.advance(COMMIT_MS);
  assert.deepEqual(committed(), ids(1, 6));
});

Deno.test("GroupCommit holds so much for a failing spool and no more; the oldest go and are counted", () => {
  const { spool, clock, record, committed, commit, lost } = setUp();
  spool.fails = "before commit";
  record(1, MAX_WAITING + 1);
  assert.equal(lost.count, 0);
  record(MAX_WAITING + 1, MAX_WAITING + 4);
  assert.equal(lost.count, 3);
  assert.equal(commit.waiting, MAX_WAITING);
  spool.fails = "never";
  clock.advance(1_000);
  assert.deepEqual(committed(), ids(4, MAX_WAITING + 4));
});

Deno.test("GroupCommit reports what a full spool has dropped", () => {
  const { clock, record, committed, lost } = setUp(5);
  record(1, 8);
  clock.advance(COMMIT_MS);
  assert.equal(lost.count, 2);
  assert.deepEqual(committed(), ids(3, 8));
});

Deno.test("GroupCommit goes on after the places of a former run", () => {
  const first = setUp();
  first.record(1, 4);
  first.clock.advance(COMMIT_MS);
  const second = new GroupCommit({
    spool: first.spool,
    clock: first.clock,
    log: first.log,
    random: () => 0,
    onDropped: () => assert.fail("nothing may be lost"),
  });
  second.record(usageRecord(4));
  first.clock.advance(COMMIT_MS);
  assert.deepEqual(first.committed(), ids(1, 5));
});

Deno.test("GroupCommit.flush() commits and syncs at once, all groups", async () => {
  const { spool, record, committed, commit } = setUp();
  record(1, 601);
  await commit.flush();
  assert.deepEqual(committed(), ids(1, 601));
  assert.equal(spool.syncs, 1);
  record(601);
  await commit.close();
});

Deno.test("GroupCommit.close() commits what waits, ends its timer and takes nothing more", async () => {
  const { clock, record, committed, commit, lost } = setUp();
  record(1, 4);
  await commit.close();
  assert.deepEqual(committed(), ids(1, 4));
  assert.equal(clock.pending, 0);
  record(4);
  assert.equal(lost.count, 1);
  assert.equal(clock.pending, 0);
  assert.deepEqual(committed(), ids(1, 4));
});

Deno.test("GroupCommit.close() tries a failing spool once, then counts what is lost", async () => {
  const { spool, clock, record, commit, lost, log } = setUp();
  spool.fails = "before commit";
  record(1, 4);
  await commit.close();
  assert.equal(lost.count, 3);
  assert.equal(commit.waiting, 0);
  assert.equal(clock.pending, 0);
  assert.deepEqual(log.texts, ["error usage spool takes no records", "error usage records lost"]);
});
