/** A usage record for the tests of this room. */

import type { UsageRecord } from "../../src/metering/mod.ts";

/** The record of one response. */
export function usageRecord(attempt = 1): UsageRecord {
  return {
    record_id: `3f0b8f0e-0000-4000-8000-000000000000:${attempt}`,
    request_id: "3f0b8f0e-0000-4000-8000-000000000000",
    attempt_seq: attempt,
    timestamp: "2027-01-01T00:00:00.000Z",
    endpoint: "/v1/realtime",
    model: "voice",
    backend: "one",
    api_key_id: "key-1",
    user_id: null,
    organization_id: null,
    stream: true,
    http_status: 101,
    input_tokens: 10,
    cached_input_tokens: 2,
    output_tokens: 30,
    latency_ms: 250,
    ttft_absent_reason: "not_observed",
    token_source: "engine_final",
    outcome: "completed",
    status_reason: "absent",
  };
}
