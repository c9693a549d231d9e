/** A record for tests that care for a few of its fields. */

import type { UsageRecord } from "../../src/metering/mod.ts";

export function usageRecord(fields: Partial<UsageRecord>): UsageRecord {
  return {
    record_id: "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b:1",
    request_id: "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b",
    attempt_seq: 1,
    timestamp: "2026-01-02T03:04:05.000Z",
    endpoint: "/v1/realtime",
    model: "voice-1",
    backend: "b1",
    api_key_id: "key-1",
    user_id: null,
    organization_id: null,
    stream: true,
    http_status: 101,
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    latency_ms: 0,
    ttft_absent_reason: "not_observed",
    token_source: "none",
    outcome: "completed",
    status_reason: "absent",
    ...fields,
  };
}
