/**
 * Where usage records go (spec §9): one recorder for realtime and HTTP.
 *
 * @module
 */

import {
  RecentRecords,
  Recorder,
  SessionMeter,
  Statistics,
  type UsageRecord,
  type UsageSink,
} from "../metering/mod.ts";
import { logOf, type Metrics } from "../observability/mod.ts";
import type { Meter, MeteredSession } from "../realtime/mod.ts";

/** The recorder and what it feeds. */
export interface Usage {
  readonly sink: UsageSink;
  readonly statistics: Statistics;
  readonly recent: RecentRecords;
  /** Makes the meter of a realtime session. */
  readonly meterOf: (session: MeteredSession) => Meter;
}

/** What {@link createUsage} joins. */
export interface UsageOptions {
  readonly metrics: Metrics;
  /** More places for records, such as the hub's spool. */
  readonly sinks: readonly UsageSink[];
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** Makes the recorder. */
export function createUsage({ metrics, sinks, now }: UsageOptions): Usage {
  const log = logOf("usage");
  const statistics = new Statistics(now());
  const recent = new RecentRecords();
  const counters = { record: (record: UsageRecord) => metrics.usage.record(record) };
  const lines = { record: (record: UsageRecord) => log.debug("usage recorded", shown(record)) };
  const sink = new Recorder([...sinks, statistics, recent, counters, lines], {
    onError: (error) => log.error("a usage record was not taken", { detail: String(error) }),
  });
  return {
    sink,
    statistics,
    recent,
    meterOf: ({ requestId, model, backend, identity }) =>
      new SessionMeter({
        context: {
          requestId,
          endpoint: "/v1/realtime",
          model,
          backend,
          apiKeyId: identity.keyId,
          userId: identity.userId,
          organizationId: identity.organizationId,
        },
        sink,
        onResult: (result, count) => metrics.usage.event(backend, result, count),
        now,
        unixNow: Date.now,
      }),
  };
}

/** Of a record, what may be logged (spec §8): no id and no text that a backend wrote. */
function shown(record: UsageRecord) {
  return {
    request_id: record.request_id,
    backend: record.backend,
    outcome: record.outcome,
    attempt_seq: record.attempt_seq,
    input_tokens: record.input_tokens,
    cached_input_tokens: record.cached_input_tokens,
    output_tokens: record.output_tokens,
    status_reason: record.status_reason,
  };
}
