/**
 * What `GET /admin/events` tells: starts and ends of sessions, and usage records. Holds no content.
 *
 * @module
 */

import type { UsageRecord, UsageSink } from "../metering/mod.ts";
import type { SessionFacts, SessionReport } from "../realtime/mod.ts";
import { EventBus, type Subscription } from "./event_bus.ts";
import { factFields, relayedFields } from "./session_routes.ts";
import { sseEvent } from "./sse.ts";

const QUEUE_LIMIT = 256;
const MAX_SUBSCRIBERS = 16;

/** See the module. An event is written once, however many listen, and not at all when nobody does. */
export class AdminEvents implements UsageSink {
  readonly #bus = new EventBus<Uint8Array>({
    queueLimit: QUEUE_LIMIT,
    maxSubscribers: MAX_SUBSCRIBERS,
  });

  get subscriberCount(): number {
    return this.#bus.subscriberCount;
  }

  /** A client's 101 was sent. */
  sessionStarted(facts: SessionFacts): void {
    this.#publish("session_started", () => factFields(facts));
  }

  /** No socket of the session is left. */
  sessionEnded(facts: SessionFacts, report: SessionReport): void {
    this.#publish("session_ended", () => ({
      ...factFields(facts),
      outcome: report.outcome,
      duration_seconds: report.durationMs / 1000,
      ...relayedFields(report),
      usage_records: report.usageRecords,
    }));
  }

  /** A usage record was made. */
  record(record: UsageRecord): void {
    this.#publish("usage_record", () => record);
  }

  /** Events from now on, as they are written to a stream; null when too many listen already. */
  subscribe(): Subscription<Uint8Array> | null {
    return this.#bus.subscribe();
  }

  /** Ends all streams and allows no more. Idempotent. */
  close(): void {
    this.#bus.close();
  }

  #publish(name: string, data: () => unknown): void {
    if (this.#bus.subscriberCount > 0) this.#bus.publish(sseEvent(name, data()));
  }
}
