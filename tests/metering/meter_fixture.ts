/** A session meter with a clock that tests move, and all that comes out of it. */

import type { MeteringResult, UsageRecord } from "../../src/metering/mod.ts";
import { SessionMeter } from "../../src/metering/mod.ts";

export const REQUEST_ID = "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b";

/** The wall clock when the monotonic one shows 0. */
export const EPOCH_MS = Date.UTC(2026, 0, 2, 3, 4, 5);

export const CONTEXT = {
  requestId: REQUEST_ID,
  endpoint: "/v1/realtime",
  model: "voice-1",
  backend: "b1",
  apiKeyId: "key-1",
  userId: "user-1",
  organizationId: "org-1",
};

export type ResultCounts = Partial<Record<MeteringResult, number>>;

export class MeterFixture {
  readonly records: UsageRecord[] = [];
  readonly counts: ResultCounts = {};
  /** Every call of `onResult`. */
  readonly results: [MeteringResult, number][] = [];
  readonly meter: SessionMeter;
  nowMs = 0;
  sent = 0;

  constructor(context = CONTEXT) {
    this.meter = new SessionMeter({
      context,
      sink: { record: (record) => this.records.push(record) },
      onResult: (result, count) => {
        this.results.push([result, count]);
        this.counts[result] = (this.counts[result] ?? 0) + count;
      },
      now: () => this.nowMs,
      unixNow: () => EPOCH_MS + this.nowMs,
    });
  }

  /** Relays messages, each the given value as JSON, or a text as it is. */
  relay(...messages: unknown[]): this {
    for (const message of messages) {
      const text = typeof message === "string" ? message : JSON.stringify(message);
      this.meter.relayed(text, ++this.sent);
    }
    return this;
  }

  /** A binary message: it has a number, and nobody looks at it. */
  relayBinary(): this {
    this.sent++;
    return this;
  }

  /** Accepts all that was relayed. */
  acceptAll(): this {
    this.meter.accepted(this.sent);
    return this;
  }
}

export function created(id?: unknown): unknown {
  return { type: "response.created", event_id: "event_1", response: { id, status: "in_progress" } };
}

export function done(id?: unknown, fields: Readonly<Record<string, unknown>> = {}): unknown {
  return { type: "response.done", event_id: "event_2", response: { id, ...fields } };
}
