import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Spool } from "../../src/metering/spool.ts";
import { usageRecord, usageRecords } from "../support/usage_records.ts";
import { entriesOf, idsIn, memorySpool } from "./hub_fixture.ts";

const ids = (from: number, to: number) => usageRecords(from, to).map(({ record_id }) => record_id);
const LETTER = { batchId: "batch-1", httpStatus: 400, movedAt: "2026-01-02T03:04:05.000Z" };

Deno.test("Spool.oldest() gives what was committed, in order and unchanged, up to a limit", () => {
  const spool = memorySpool();
  assert.equal(spool.oldest(10), undefined);
  assert.equal(spool.lastSeq, 0);
  spool.commit(entriesOf(usageRecords(1, 4), 1));
  spool.commit(entriesOf(usageRecords(4, 6), 4));
  assert.equal(spool.size, 5);
  assert.equal(spool.lastSeq, 5);
  assert.deepEqual(spool.oldest(3), {
    upTo: 3,
    bodies: usageRecords(1, 4).map((record) => JSON.stringify(record)),
  });
  assert.equal(spool.oldest(3, { upTo: 2 })?.bodies.length, 2);
  assert.equal(spool.oldest(3, { upTo: 0 }), undefined);
  assert.deepEqual(idsIn(spool), ids(1, 6));
});

Deno.test("Spool.commit() of the same entries again changes nothing", () => {
  const spool = memorySpool();
  const entries = entriesOf(usageRecords(1, 4), 1);
  spool.commit(entries);
  assert.equal(spool.commit([...entries, ...entriesOf([usageRecord(4)], 4)]), 0);
  assert.equal(spool.size, 4);
  assert.deepEqual(idsIn(spool), ids(1, 5));
});

Deno.test("Spool.commit() to a full spool drops the oldest and says how many", () => {
  const spool = memorySpool(5);
  assert.equal(spool.commit(entriesOf(usageRecords(1, 6), 1)), 0);
  assert.equal(spool.commit(entriesOf(usageRecords(6, 8), 6)), 2);
  assert.deepEqual(idsIn(spool), ids(3, 8));
  assert.equal(spool.commit(entriesOf(usageRecords(8, 20), 8)), 12);
  assert.deepEqual(idsIn(spool), ids(15, 20));
  assert.equal(spool.size, 5);
});

Deno.test("Spool.commit() takes all of its entries or, when it throws, none", () => {
  const spool = memorySpool(2);
  spool.commit(entriesOf(usageRecords(1, 3), 1));
  const broken = {
    seq: 4,
    get body(): string {
      throw new Error("broken");
    },
  };
  assert.throws(() => spool.commit([...entriesOf([usageRecord(3)], 3), broken]), /broken/);
  assert.deepEqual(idsIn(spool), ids(1, 3));
  assert.equal(spool.size, 2);
  assert.equal(spool.commit(entriesOf([usageRecord(3)], 3)), 1);
  assert.deepEqual(idsIn(spool), ids(2, 4));
  assert.equal(spool.size, 2);
});

Deno.test("Spool counts right after a commit that worked although it threw", () => {
  const database = new DatabaseSync(":memory:");
  const spool = new Spool(database, { maxRecords: 4 });
  const entries = entriesOf(usageRecords(1, 4), 1);
  const { exec } = database;
  database.exec = (sql) => {
    exec.call(database, sql);
    if (sql === "COMMIT") throw new Error("disk I/O error");
  };
  assert.throws(() => spool.commit(entries), /disk I\/O error/);
  database.exec = exec;
  assert.equal(spool.commit([...entries, ...entriesOf(usageRecords(4, 7), 4)]), 2);
  assert.equal(spool.size, 4);
  assert.deepEqual(idsIn(spool), ids(3, 7));
});

Deno.test("Spool.remove() takes away the oldest up to a place, dropped ones among them or not", () => {
  const spool = memorySpool(4);
  spool.commit(entriesOf(usageRecords(1, 5), 1));
  spool.remove(2);
  assert.deepEqual(idsIn(spool), ids(3, 5));
  spool.remove(2);
  assert.equal(spool.size, 2);
  spool.commit(entriesOf(usageRecords(5, 8), 5));
  spool.remove(3);
  assert.deepEqual(idsIn(spool), ids(4, 8));
  spool.remove(7);
  assert.equal(spool.size, 0);
  assert.equal(spool.oldest(10), undefined);
});

Deno.test("Spool.bury() moves the oldest to the dead letters with all that is known of them", () => {
  const database = new DatabaseSync(":memory:");
  const spool = new Spool(database, { maxRecords: 10 });
  spool.commit(entriesOf(usageRecords(1, 5), 1));
  assert.deepEqual(spool.bury(3, LETTER), { moved: 3, dropped: 0 });
  assert.equal(spool.size, 1);
  assert.equal(spool.deadLetters, 3);
  const rows = database.prepare("SELECT * FROM dead_letters ORDER BY seq").all();
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    usageRecords(1, 4).map((record, index) => ({
      seq: index + 1,
      batch_id: LETTER.batchId,
      http_status: LETTER.httpStatus,
      moved_at: LETTER.movedAt,
      body: JSON.stringify(record),
    })),
  );
});

Deno.test("Spool.bury() keeps as many dead letters as records may wait, the newest", () => {
  const database = new DatabaseSync(":memory:");
  const spool = new Spool(database, { maxRecords: 3 });
  spool.commit(entriesOf(usageRecords(1, 4), 1));
  assert.deepEqual(spool.bury(2, LETTER), { moved: 2, dropped: 0 });
  spool.commit(entriesOf(usageRecords(4, 6), 4));
  assert.deepEqual(spool.bury(5, LETTER), { moved: 3, dropped: 2 });
  assert.equal(spool.deadLetters, 3);
  assert.equal(spool.size, 0);
  const kept = database.prepare("SELECT body FROM dead_letters ORDER BY seq").all();
  assert.deepEqual(kept.map(({ body }) => JSON.parse(String(body)).record_id), ids(3, 6));
});

Deno.test("Spool finds what a former one has left, and drops what is too much for it", () => {
  const database = new DatabaseSync(":memory:");
  const former = new Spool(database, { maxRecords: 10 });
  former.commit(entriesOf(usageRecords(1, 9), 1));
  former.bury(4, LETTER);
  const same = new Spool(database, { maxRecords: 10 });
  assert.equal(same.droppedAtOpening, 0);
  assert.equal(same.size, 4);
  assert.equal(same.deadLetters, 4);
  assert.equal(same.lastSeq, 8);
  const smaller = new Spool(database, { maxRecords: 3 });
  assert.equal(smaller.droppedAtOpening, 2);
  assert.deepEqual(idsIn(smaller), ids(6, 9));
  assert.equal(smaller.deadLetters, 3);
});

Deno.test("Spool takes back dead letters by the statements of docs/control-plane.md", () => {
  const database = new DatabaseSync(":memory:");
  const spool = new Spool(database, { maxRecords: 10 });
  spool.commit(entriesOf(usageRecords(1, 6), 1));
  spool.bury(3, LETTER);
  database.exec(`
    INSERT INTO records (body) SELECT body FROM dead_letters ORDER BY seq;
    DELETE FROM dead_letters;
  `);
  assert.deepEqual(idsIn(spool), [...ids(4, 6), ...ids(1, 4)]);
});

Deno.test.each([
  {
    name: "another program's database",
    sql: "CREATE TABLE notes (text TEXT)",
    message: /the file is a database of something else/,
  },
  {
    name: "a spool of a later version",
    sql: "PRAGMA user_version = 2",
    message: /its format is 2, this version of the router knows 1/,
  },
])("Spool refuses $name", ({ sql, message }) => {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  assert.throws(() => new Spool(database, { maxRecords: 10 }), message);
});
