/**
 * From server events to messages.
 *
 * @module
 */

import type { Dialect, Wording } from "./dialect.ts";
import type { SentEvent, ServerEvent } from "./events.ts";
import type { IdSource } from "./ids.ts";

/** What an outbox needs from its session. */
export interface OutboxOptions {
  readonly ids: IdSource;
  readonly dialect: Dialect;
  readonly send: (text: string) => void;
}

/** Numbers events, words them in the dialect and sends them, until it is stopped. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #wording: Wording;
  #stopped = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#wording = options.dialect.wording();
  }

  /** Whether nothing is sent any more. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Sends an event. */
  emit(event: ServerEvent): void {
    this.#send(event, this.#options.ids.next("event"));
  }

  /**
   * Sends an event whose message is exactly `bytes` long, provided that this is more than it takes empty.
   * What base64 cannot fill, being a multiple of four, goes into the `event_id`.
   */
  emitSized(event: (contents: string) => ServerEvent, bytes: number): void {
    const eventId = this.#options.ids.next("event");
    const empty = this.#text(event(""), eventId)?.length ?? 0;
    const missing = Math.max(0, bytes - empty);
    const filling = missing - (missing % 4);
    this.#send(event("A".repeat(filling)), eventId + "x".repeat(missing - filling));
  }

  /** Sends nothing any more. */
  stop(): void {
    this.#stopped = true;
  }

  #send(event: ServerEvent, eventId: string): void {
    if (this.#stopped) return;
    const text = this.#text(event, eventId);
    if (text !== null) this.#options.send(text);
  }

  /** The fields come in the order of the real API: type, event_id, the rest. */
  #text(event: ServerEvent, eventId: string): string | null {
    const head = { type: event.type, event_id: eventId };
    const sent: SentEvent = { ...head, ...event };
    const worded = this.#wording(sent);
    return worded === null ? null : JSON.stringify(worded);
  }
}
