/** Sessions, records and statistics as the admin routes answer them. */

import type {
  RunningSession,
  SessionEnd,
  SessionFacts,
  Statistics,
  UsageRecord,
} from "../../src/console/page/data/admin_types.ts";

/** What does not change about a session. */
export function facts(id: string): SessionFacts {
  return {
    id,
    model: "voice",
    backend: "one",
    api_key_id: null,
    client_address: "192.0.2.7",
    started_at: "2027-01-01T00:00:00.000Z",
  };
}

const COUNTS = { client_messages: 1, client_bytes: 2, backend_messages: 3, backend_bytes: 4 };

/** An entry of the list of sessions. */
export function running(id: string, age_seconds = 0): RunningSession {
  return { ...facts(id), ...COUNTS, age_seconds, state: "open" };
}

/** The end of a session. */
export function ended(id: string): SessionEnd {
  const end = { outcome: "completed", duration_seconds: 1, usage_records: 0 };
  return { ...facts(id), ...COUNTS, ...end };
}

/** A usage record. */
export function record(record_id: string): UsageRecord {
  return {
    record_id,
    timestamp: "2027-01-01T00:00:00.000Z",
    endpoint: "/v1/realtime",
    model: "voice",
    backend: "one",
    api_key_id: null,
    http_status: 101,
    input_tokens: 1,
    cached_input_tokens: 2,
    output_tokens: 3,
    latency_ms: 4,
    outcome: "completed",
  };
}

/** Statistics of a router that has been up so long. */
export function statistics(
  uptime_seconds: number,
  more: {
    readonly input?: number;
    readonly output?: number;
    readonly completed?: number;
    readonly refused?: number;
    readonly p95?: number;
  } = {},
): Statistics {
  const { input = 0, output = 0, completed = 0, refused = 0, p95 = 0 } = more;
  return {
    uptime_seconds,
    total_requests: 0,
    total_errors: 0,
    tokens: { input, cached_input: 0, output },
    by_outcome: {},
    latency_ms: { p50: p95 / 2, p90: p95, p95, p99: p95 },
    realtime: {
      active_sessions: 7,
      sessions_total: { completed },
      handshake_rejections_total: { missing_model: refused },
    },
  };
}
