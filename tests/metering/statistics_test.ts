import assert from "node:assert/strict";
import { Statistics } from "../../src/metering/mod.ts";
import { usageRecord } from "./record_fixture.ts";

const NOTHING = {
  uptime_seconds: 0,
  total_requests: 0,
  total_errors: 0,
  tokens: { input: 0, cached_input: 0, output: 0 },
  by_model: {},
  by_backend: {},
  by_key: {},
  by_outcome: { completed: 0, length: 0, client_cancelled: 0, upstream_error: 0 },
  latency_ms: { p50: 0, p90: 0, p95: 0, p99: 0 },
};

Deno.test("Statistics.snapshot() before the first record has every field of spec §12", () => {
  assert.deepEqual(new Statistics(500).snapshot(500), NOTHING);
});

Deno.test.each(
  [
    [500, 0],
    [1499, 0],
    [1500, 1],
    [1499.9, 0],
    [3_600_500, 3600],
  ] as const,
)("Statistics started at 500: uptime at %d is %d s", (nowMs, seconds) => {
  assert.equal(new Statistics(500).snapshot(nowMs).uptime_seconds, seconds);
});

Deno.test("Statistics sums up by model, backend, key and outcome", () => {
  const statistics = new Statistics(0);
  const tokens = { input_tokens: 10, cached_input_tokens: 20, output_tokens: 3 };
  statistics.record(usageRecord({ ...tokens, latency_ms: 100 }));
  statistics.record(usageRecord({ ...tokens, latency_ms: 300, backend: "b2" }));
  statistics.record(usageRecord({ ...tokens, api_key_id: null, outcome: "length" }));
  statistics.record(usageRecord({ model: "voice-2", outcome: "upstream_error" }));
  const of = (requests: number, errors: number, full: number) => ({
    requests,
    errors,
    tokens: { input: 10 * full, cached_input: 20 * full, output: 3 * full },
  });
  assert.deepEqual(statistics.snapshot(61_000), {
    uptime_seconds: 61,
    total_requests: 4,
    total_errors: 1,
    tokens: { input: 30, cached_input: 60, output: 9 },
    by_model: { "voice-1": of(3, 0, 3), "voice-2": of(1, 1, 0) },
    by_backend: { b1: of(3, 1, 2), b2: of(1, 0, 1) },
    by_key: { "key-1": of(3, 1, 2), anonymous: of(1, 0, 1) },
    by_outcome: { completed: 2, length: 1, client_cancelled: 0, upstream_error: 1 },
    latency_ms: { p50: 100, p90: 300, p95: 300, p99: 300 },
  });
});

Deno.test("Statistics.snapshot() counts each try of an HTTP request where it went", () => {
  const statistics = new Statistics(0);
  const http = { endpoint: "/v1/chat/completions", stream: false };
  statistics.record(usageRecord({ ...http, http_status: 503, outcome: "upstream_error" }));
  statistics.record(
    usageRecord({ ...http, http_status: 200, attempt_seq: 2, parent_attempt: 1, backend: "b2" }),
  );
  const { total_requests, total_errors, by_backend } = statistics.snapshot(0);
  assert.deepEqual([total_requests, total_errors], [2, 1]);
  assert.deepEqual([by_backend["b1"]?.errors, by_backend["b2"]?.errors], [1, 0]);
});

Deno.test("Statistics.snapshot() is not changed by later records", () => {
  const statistics = new Statistics(0);
  const before = statistics.snapshot(0);
  statistics.record(usageRecord({ output_tokens: 1, latency_ms: 5 }));
  assert.deepEqual(before, NOTHING);
});
