/**
 * What the admin routes answer, as far as the page shows it (docs/admin-api.md). The router is the page's own
 * origin, so that its answers are taken as they are.
 *
 * @module
 */

/** What does not change about a session. */
export interface SessionFacts {
  readonly id: string;
  readonly model: string;
  readonly backend: string;
  /** Null for anonymous callers. */
  readonly api_key_id: string | null;
  readonly client_address: string;
  readonly started_at: string;
}

/** Messages and bytes that came from each side. */
export interface RelayedCounts {
  readonly client_messages: number;
  readonly client_bytes: number;
  readonly backend_messages: number;
  readonly backend_bytes: number;
}

/** An entry of `/admin/sessions`. */
export interface RunningSession extends SessionFacts, RelayedCounts {
  readonly age_seconds: number;
  readonly state: string;
}

/** The event `session_ended`. */
export interface SessionEnd extends SessionFacts, RelayedCounts {
  readonly outcome: string;
  readonly duration_seconds: number;
  readonly usage_records: number;
}

/** An entry of `/admin/usage`, and the event `usage_record`. */
export interface UsageRecord {
  readonly record_id: string;
  readonly timestamp: string;
  readonly endpoint: string;
  readonly model: string;
  readonly backend: string;
  readonly api_key_id: string | null;
  readonly http_status: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly latency_ms: number;
  readonly outcome: string;
}

/** An entry of `/admin/backends`. */
export interface Backend {
  readonly name: string;
  readonly type: string;
  readonly models: readonly string[];
  readonly health: string;
  readonly health_failure: string | null;
  readonly circuit: string;
  /** 0 unless the circuit is open. */
  readonly circuit_retry_after_ms: number;
  readonly sessions: number;
  readonly average_latency_ms: number | null;
  readonly last_error: { readonly message: string; readonly at: string } | null;
}

/** Sums of tokens. */
export interface TokenSums {
  readonly input: number;
  readonly cached_input: number;
  readonly output: number;
}

/** `/admin/stats`. */
export interface Statistics {
  readonly uptime_seconds: number;
  readonly total_requests: number;
  readonly total_errors: number;
  readonly tokens: TokenSums;
  readonly by_outcome: Readonly<Record<string, number>>;
  readonly latency_ms: {
    readonly p50: number;
    readonly p90: number;
    readonly p95: number;
    readonly p99: number;
  };
  readonly realtime: {
    readonly active_sessions: number;
    readonly sessions_total: Readonly<Record<string, number>>;
    readonly handshake_rejections_total: Readonly<Record<string, number>>;
  };
}
