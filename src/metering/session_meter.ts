/**
 * Meters one realtime session (spec §8): what its backend sends becomes usage records once the client's
 * connection has it.
 *
 * ```
 *   response.created ──▶ tracked ──▶ response.done ──▶ pending ──▶ accepted: recorded
 *                           │                             │
 *                           └────── the session ends ─────┴──▶ session_closed_in_flight
 * ```
 *
 * @module
 */

import { scanEvent } from "./event_scan.ts";
import {
  realtimeRecord,
  type ResponseFigures,
  responseFigures,
  type SessionMeterContext,
} from "./realtime_record.ts";
import { ResponseTracker } from "./response_tracker.ts";
import type { UsageSink } from "./usage_record.ts";

/** What metering came to: the `result` label of `realtime_usage_events_total`. */
export type MeteringResult = "recorded" | "oversized" | "unparsed" | "session_closed_in_flight";

/** What a {@link SessionMeter} needs. */
export interface SessionMeterOptions {
  readonly context: SessionMeterContext;
  readonly sink: UsageSink;
  /** For the counter. A record is in the sink before its `recorded` is told; `count` is 1 at least. */
  readonly onResult: (result: MeteringResult, count: number) => void;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly unixNow: () => number;
}

/** A response that is done, and whose client may not have been told yet. */
interface PendingResponse {
  readonly sequence: number;
  readonly figures: ResponseFigures;
}

/**
 * See the module. It holds at most sixteen ids, and a few numbers for each `response.done` that waits for
 * the client; how many messages may wait is the relay's to bound. Throws only what `sink` or `onResult`
 * throw.
 */
export class SessionMeter {
  readonly #options: SessionMeterOptions;
  readonly #tracker = new ResponseTracker();
  /** In the order of their relay. */
  #pending: PendingResponse[] = [];
  #accepted = 0;
  #recorded = 0;
  #ended = false;

  constructor(options: SessionMeterOptions) {
    this.#options = options;
  }

  /** Whether a `response.done` waits to be accepted. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** How many records the session has so far. */
  get recorded(): number {
    return this.#recorded;
  }

  /**
   * Looks at a text message of the backend's that was just handed on.
   *
   * @param sequence Its number among all messages given to the client's leg, binary ones included, from 1.
   */
  relayed(text: string, sequence: number): void {
    if (this.#ended) return;
    const event = scanEvent(text);
    switch (event.kind) {
      case "other":
        return;
      case "oversized":
      case "unparsed":
        return this.#options.onResult(event.kind, 1);
      case "created":
        return this.#tracker.created(event.id, this.#options.now());
      case "done": {
        const latencyMs = this.#tracker.done(event.id, this.#options.now());
        this.#pending.push({ sequence, figures: responseFigures(event, latencyMs) });
        if (sequence <= this.#accepted) this.accepted(sequence);
      }
    }
  }

  /** The messages up to number `count` are written to the client's connection. */
  accepted(count: number): void {
    if (this.#ended) return;
    this.#accepted = Math.max(this.#accepted, count);
    const waiting = this.#pending.findIndex(({ sequence }) => sequence > this.#accepted);
    const final = this.#pending.splice(0, waiting === -1 ? this.#pending.length : waiting);
    for (const { figures } of final) this.#record(figures);
  }

  /**
   * The session is over. A response that is not recorded by now was in flight. Only the first call
   * counts, and nothing after it does.
   */
  end(acceptedCount: number): void {
    if (this.#ended) return;
    this.accepted(acceptedCount);
    this.#ended = true;
    const inFlight = this.#pending.length + this.#tracker.size;
    this.#pending = [];
    if (inFlight > 0) this.#options.onResult("session_closed_in_flight", inFlight);
  }

  #record(figures: ResponseFigures): void {
    const { context, sink, onResult, unixNow } = this.#options;
    const attempt = ++this.#recorded;
    sink.record(realtimeRecord(context, figures, { attempt, recordedMs: unixNow() }));
    onResult("recorded", 1);
  }
}
