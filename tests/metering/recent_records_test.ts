import assert from "node:assert/strict";
import { MAX_RECENT_RECORDS, RecentRecords } from "../../src/metering/mod.ts";
import { usageRecord } from "./record_fixture.ts";

function recentOf(count: number): RecentRecords {
  const recent = new RecentRecords();
  for (let attempt = 1; attempt <= count; attempt++) {
    recent.record(usageRecord({ attempt_seq: attempt }));
  }
  return recent;
}

function attempts(recent: RecentRecords, limit?: number): number[] {
  return recent.newestFirst(limit).map((record) => record.attempt_seq);
}

Deno.test.each(
  [
    [0, 10, []],
    [3, 10, [3, 2, 1]],
    [3, 3, [3, 2, 1]],
    [3, 2, [3, 2]],
    [3, 0, []],
    [1001, 2, [1001, 1000]],
    [2500, 3, [2500, 2499, 2498]],
  ] as const,
)("RecentRecords of %d records, limited to %d", (count, limit, expected) => {
  assert.deepEqual(attempts(recentOf(count), limit), expected);
});

Deno.test.each([999, 1000, 1001, 1999, 2000, 2001])(
  "RecentRecords keeps the last thousand of %d, the newest first",
  (count) => {
    const expected = Array.from({ length: Math.min(count, 1000) }, (_, index) => count - index);
    assert.deepEqual(attempts(recentOf(count)), expected);
    assert.deepEqual(attempts(recentOf(count), 100_000), expected);
  },
);

Deno.test("RecentRecords gives the records themselves, in an array of the caller's own", () => {
  const recent = new RecentRecords();
  const record = usageRecord({});
  recent.record(record);
  const first = recent.newestFirst();
  recent.record(usageRecord({}));
  assert.equal(first.length, 1);
  assert.equal(first[0], record);
  assert.equal(MAX_RECENT_RECORDS, 1000);
});
