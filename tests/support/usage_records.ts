/**
 * Usage records to fill spools with.
 *
 * @module
 */

import type { UsageRecord } from "../../src/metering/mod.ts";

/** A record as a realtime session makes it. The same number gives the same record. */
export function usageRecord(n: number): UsageRecord {
  const uuid = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  return {
    record_id: `${uuid}:1`,
    request_id: uuid,
    attempt_seq: 1,
    timestamp: "2026-01-02T03:04:05.678Z",
    endpoint: "/v1/realtime",
    model: "demo-voice",
    backend: "b0",
    api_key_id: "key-1",
    user_id: null,
    organization_id: null,
    stream: true,
    http_status: 101,
    input_tokens: n,
    cached_input_tokens: 0,
    output_tokens: 7,
    latency_ms: 900,
    ttft_absent_reason: "not_observed",
    token_source: "engine_final",
    outcome: "completed",
    status_reason: "absent",
  };
}

/** Records `from`, `from + 1` … up to, but not including, `to`. */
export function usageRecords(from: number, to: number): readonly UsageRecord[] {
  return Array.from({ length: to - from }, (_, index) => usageRecord(from + index));
}
