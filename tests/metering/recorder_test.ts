import assert from "node:assert/strict";
import { Recorder, type UsageRecord, type UsageSink } from "../../src/metering/mod.ts";
import { usageRecord } from "./record_fixture.ts";

function unexpected(error: unknown): never {
  throw error;
}

Deno.test("Recorder gives each record to every sink, in their order", () => {
  const calls: [string, UsageRecord][] = [];
  const sink = (name: string): UsageSink => ({ record: (record) => calls.push([name, record]) });
  const recorder = new Recorder([sink("a"), sink("b")], { onError: unexpected });
  const [first, second] = [usageRecord({ attempt_seq: 1 }), usageRecord({ attempt_seq: 2 })];
  recorder.record(first);
  recorder.record(second);
  assert.deepEqual(calls, [["a", first], ["b", first], ["a", second], ["b", second]]);
});

Deno.test("Recorder reports what a sink throws, and gives the record to the others", () => {
  const errors: unknown[] = [];
  const taken: UsageRecord[] = [];
  const broken = new Error("full");
  const recorder = new Recorder([
    { record: () => assert.fail(broken) },
    { record: (record) => taken.push(record) },
    { record: () => unexpected("no error object") },
    { record: (record) => taken.push(record) },
  ], { onError: (error) => errors.push(error) });
  const record = usageRecord({});
  recorder.record(record);
  assert.deepEqual(taken, [record, record]);
  assert.deepEqual(errors, [broken, "no error object"]);
});

Deno.test("Recorder without sinks takes records", () => {
  new Recorder([], { onError: unexpected }).record(usageRecord({}));
});

Deno.test("Recorder keeps to the sinks that it was made with", () => {
  const taken: UsageRecord[] = [];
  const sinks: UsageSink[] = [{ record: (record) => taken.push(record) }];
  const recorder = new Recorder(sinks, { onError: unexpected });
  sinks.push({ record: () => assert.fail("never given to the recorder") });
  recorder.record(usageRecord({}));
  assert.equal(taken.length, 1);
});
