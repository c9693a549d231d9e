/**
 * The usage record of one realtime response (the table of spec §8).
 *
 * @module
 */

import type { ResponseDone } from "./event_scan.ts";
import { statusReasonOf, usageOutcomeOf } from "./outcome.ts";
import { realtimeTokenFigures, type TokenFigures } from "./usage_numbers.ts";
import type { UsageRecord } from "./usage_record.ts";

/** What the records of a session have in common. */
export interface SessionMeterContext {
  /** The UUID that the router gave to the upgrade. */
  readonly requestId: string;
  /** The route, such as `/v1/realtime`. */
  readonly endpoint: string;
  /** The name dispatched to (spec §4). */
  readonly model: string;
  readonly backend: string;
  /** Null for anonymous callers, like the two that follow. */
  readonly apiKeyId: string | null;
  readonly userId: string | null;
  readonly organizationId: string | null;
}

/** What a record says of the response itself: a few numbers, and words from closed sets. */
export type ResponseFigures =
  & TokenFigures
  & Pick<UsageRecord, "latency_ms" | "outcome" | "status_reason">;

/** Reads a `response.done`. */
export function responseFigures(done: ResponseDone, latencyMs: number): ResponseFigures {
  return {
    ...realtimeTokenFigures(done.usage),
    latency_ms: latencyMs,
    outcome: usageOutcomeOf(done.status, done.reason),
    status_reason: statusReasonOf(done.reason),
  };
}

/**
 * Makes the record.
 *
 * @param options.attempt Its number in the session, from 1.
 * @param options.recordedMs Milliseconds since 1970.
 */
export function realtimeRecord(
  context: SessionMeterContext,
  figures: ResponseFigures,
  options: { readonly attempt: number; readonly recordedMs: number },
): UsageRecord {
  return {
    record_id: `${context.requestId}:${options.attempt}`,
    request_id: context.requestId,
    attempt_seq: options.attempt,
    timestamp: new Date(options.recordedMs).toISOString(),
    endpoint: context.endpoint,
    model: context.model,
    backend: context.backend,
    api_key_id: context.apiKeyId,
    user_id: context.userId,
    organization_id: context.organizationId,
    stream: true,
    http_status: 101,
    input_tokens: figures.input_tokens,
    cached_input_tokens: figures.cached_input_tokens,
    output_tokens: figures.output_tokens,
    latency_ms: figures.latency_ms,
    ttft_absent_reason: "not_observed",
    token_source: figures.token_source,
    outcome: figures.outcome,
    status_reason: figures.status_reason,
  };
}
