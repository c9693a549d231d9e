import assert from "node:assert/strict";
import { type CountedUsage, Metrics } from "../../src/observability/mod.ts";

/** The samples whose names begin so, with their values. */
async function samples(metrics: Metrics, name: string): Promise<ReadonlyMap<string, number>> {
  const { text } = await metrics.render("");
  const lines = text.split("\n").filter((line) => line.startsWith(name));
  return new Map(lines.map((line): [string, number] => {
    const space = line.lastIndexOf(" ");
    return [line.slice(0, space), Number(line.slice(space + 1))];
  }));
}

function usage(changes: Partial<CountedUsage> = {}): CountedUsage {
  return {
    api_key_id: "key-1",
    model: "voice",
    backend: "b",
    input_tokens: 10,
    cached_input_tokens: 3,
    output_tokens: 20,
    ...changes,
  };
}

Deno.test("UsageMetricSet.record() sums tokens by key, model, backend and type", async () => {
  const metrics = new Metrics();
  metrics.usage.record(usage());
  metrics.usage.record(usage({ input_tokens: 5, cached_input_tokens: 0 }));
  metrics.usage.record(usage({ api_key_id: null, model: "other", output_tokens: 0 }));
  const found = await samples(metrics, "llm_tokens_total{");
  const of = (key: string, model: string, type: string) =>
    found.get(`llm_tokens_total{api_key="${key}",model="${model}",backend="b",type="${type}"}`);
  assert.equal(of("key-1", "voice", "input"), 15);
  assert.equal(of("key-1", "voice", "cached_input"), 3);
  assert.equal(of("key-1", "voice", "output"), 40);
  assert.equal(of("anonymous", "other", "input"), 10);
  assert.equal(of("anonymous", "other", "cached_input"), 3);
  assert.equal(of("anonymous", "other", "output"), 0);
  assert.equal(found.size, 6);
});

Deno.test("UsageMetricSet.event() counts by backend and result", async () => {
  const metrics = new Metrics();
  metrics.usage.event("a", "recorded", 1);
  metrics.usage.event("a", "recorded", 1);
  metrics.usage.event("a", "session_closed_in_flight", 3);
  metrics.usage.event("b", "oversized", 1);
  metrics.usage.event("b", "unparsed", 2);
  const found = await samples(metrics, "realtime_usage_events_total{");
  const of = (backend: string, result: string) =>
    found.get(`realtime_usage_events_total{backend="${backend}",result="${result}"}`);
  assert.equal(of("a", "recorded"), 2);
  assert.equal(of("a", "session_closed_in_flight"), 3);
  assert.equal(of("b", "oversized"), 1);
  assert.equal(of("b", "unparsed"), 2);
  assert.equal(found.size, 4);
});

Deno.test("UsageMetricSet.spoolDropped() counts records, from nought on", async () => {
  const metrics = new Metrics();
  const name = "usage_spool_dropped_total";
  assert.deepEqual([...await samples(metrics, name)], [[name, 0]]);
  metrics.usage.spoolDropped(2);
  metrics.usage.spoolDropped(1);
  assert.deepEqual([...await samples(metrics, name)], [[name, 3]]);
});
