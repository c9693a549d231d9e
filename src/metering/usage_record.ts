/**
 * The usage record (spec §8, §9, §11): one for each response of a realtime session, one for each try of
 * an HTTP request. Its field names are those of the hub and of `/admin/usage`.
 *
 * @module
 */

/** How a response ended. */
export type UsageOutcome = "completed" | "length" | "client_cancelled" | "upstream_error";

/** Why it ended so, from a closed set: what a backend wrote never gets into a log. */
export type StatusReason =
  | "max_output_tokens"
  | "content_filter"
  | "turn_detected"
  | "client_cancelled"
  | "other"
  | "absent";

/** See the module. Numbers of tokens are whole and never negative. */
export interface UsageRecord {
  /** `<uuid>:<attempt_seq>`. The UUID is the router's own for the request, never one a client chose. */
  readonly record_id: string;
  /** The request's id as the client saw it; shared by all records of a session. */
  readonly request_id: string;
  /** 1, 2, 3 … within the request. */
  readonly attempt_seq: number;
  /** HTTP only: the try that failed before this one. */
  readonly parent_attempt?: number;
  /** When it was recorded, ISO 8601 in UTC. */
  readonly timestamp: string;
  /** The route, such as `/v1/realtime`. */
  readonly endpoint: string;
  /** The name dispatched to (spec §4). Never what a backend wrote. */
  readonly model: string;
  readonly backend: string;
  /** Null for anonymous callers. */
  readonly api_key_id: string | null;
  readonly user_id: string | null;
  readonly organization_id: string | null;
  readonly stream: boolean;
  /** 101 for realtime. */
  readonly http_status: number;
  /** Without the cached ones. */
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  /** Audio and text together. */
  readonly output_tokens: number;
  readonly latency_ms: number;
  readonly ttft_ms?: number;
  /** Why there is no `ttft_ms`. */
  readonly ttft_absent_reason?: "not_observed";
  readonly token_source: "engine_final" | "none";
  readonly outcome: UsageOutcome;
  readonly status_reason: StatusReason;
}

/** Takes records. Must not throw and must not wait. */
export interface UsageSink {
  record(record: UsageRecord): void;
}
