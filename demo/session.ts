/**
 * One realtime session: client events in, server events out.
 *
 * ```
 * upgrade ─▶ session.created ─▶ client events ⇄ server events ─▶ ended (by either side, or expired)
 * ```
 *
 * @module
 */

import { checkClientEvent, type ClientEvent, parseMessage } from "./client_events.ts";
import { Conversation } from "./conversation.ts";
import type { Dialect } from "./dialect.ts";
import { errorDetail, plainError } from "./error_detail.ts";
import type { ResponseObject, ServerEvent } from "./events.ts";
import { IdSource } from "./ids.ts";
import { InputAudio } from "./input_audio.ts";
import { itemFromClient } from "./items.ts";
import { Outbox } from "./outbox.ts";
import { Responses } from "./responses.ts";
import { initialSession, type SessionConfig, updatedSession } from "./session_config.ts";
import { Timers } from "./timers.ts";
import type { Exit, Transport } from "./transport.ts";

const EXPIRED = "Your session hit the maximum duration of 60 minutes.";

/** What a session is made of. */
export interface SessionOptions {
  /** Its place in the order of upgrades, from 1. */
  readonly serial: number;
  readonly model: string;
  readonly dialect: Dialect;
  /** Milliseconds of conversation in one millisecond of the clock. */
  readonly speed: number;
  readonly maxSessionMs: number;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly transport: Transport;
  /** Told of every response that ended, just before its `response.done`. */
  readonly report: (response: ResponseObject) => void;
}

/** The backend's side of one connection. */
export class DemoSession {
  readonly #transport: Transport;
  readonly #dialect: Dialect;
  readonly #outbox: Outbox;
  readonly #ids: IdSource;
  readonly #timers: Timers;
  readonly #conversation: Conversation;
  readonly #input: InputAudio;
  readonly #responses: Responses;
  #config: SessionConfig;

  constructor(options: SessionOptions) {
    this.#transport = options.transport;
    this.#dialect = options.dialect;
    this.#ids = new IdSource(options.serial);
    this.#outbox = new Outbox({
      ids: this.#ids,
      dialect: options.dialect,
      send: (text) => options.transport.send(text),
    });
    this.#timers = new Timers(options.speed);
    this.#conversation = new Conversation(this.#ids.next("conv"));
    this.#config = initialSession({
      id: this.#ids.next("sess"),
      model: options.model,
      expiresAtS: Math.floor((options.nowMs + options.maxSessionMs) / 1_000),
    });
    const shared = {
      conversation: this.#conversation,
      ids: this.#ids,
      timers: this.#timers,
      config: () => this.#config,
      emit: (event: ServerEvent) => this.#outbox.emit(event),
    };
    this.#responses = new Responses({
      ...shared,
      audioChunkMs: options.dialect.audioChunkMs,
      outputRate: options.dialect.outputRate,
      emitSized: (event, bytes) => this.#outbox.emitSized(event, bytes),
      leave: (exit) => this.leave(exit),
      report: options.report,
    });
    this.#input = new InputAudio({
      ...shared,
      onInterruption: () => this.#responses.interrupt(),
      onTurn: () => this.#responses.create(),
    });
    this.#timers.afterWallClock(options.maxSessionMs, () => this.#expire());
    this.#outbox.emit({ type: "session.created", session: this.#config });
  }

  /** Takes one message, null for a binary one. Whatever is wrong with it becomes an `error` event. */
  receive(text: string | null): void {
    if (this.#outbox.stopped) return;
    let message: unknown;
    try {
      message = parseMessage(text);
      this.#handle(checkClientEvent(this.#dialect.hearing(message)));
    } catch (error) {
      this.#outbox.emit({ type: "error", error: errorDetail(error, message) });
    }
  }

  /** Ends the connection from this side. */
  leave(exit: Exit): void {
    this.end();
    this.#transport.leave(exit);
  }

  /** Stops everything; nothing is sent any more. */
  end(): void {
    this.#outbox.stop();
    this.#timers.stop();
  }

  #handle(event: ClientEvent): void {
    switch (event.type) {
      case "session.update":
        this.#config = updatedSession(this.#config, event.session);
        return this.#outbox.emit({ type: "session.updated", session: this.#config });
      case "input_audio_buffer.append":
        return this.#input.append(event.audio);
      case "input_audio_buffer.commit":
        return this.#input.commit();
      case "input_audio_buffer.clear":
        return this.#input.clear();
      case "conversation.item.create":
        return this.#createItem(event);
      case "conversation.item.retrieve": {
        const item = this.#conversation.retrieve(event.item_id);
        return this.#outbox.emit({ type: "conversation.item.retrieved", item });
      }
      case "conversation.item.delete":
        this.#conversation.delete(event.item_id);
        return this.#outbox.emit({ type: "conversation.item.deleted", item_id: event.item_id });
      case "conversation.item.truncate": {
        const { item_id, content_index, audio_end_ms } = event;
        this.#conversation.truncate(item_id, content_index, { audioEndMs: audio_end_ms });
        return this.#outbox.emit({
          type: "conversation.item.truncated",
          item_id,
          content_index,
          audio_end_ms,
        });
      }
      case "response.create":
        return this.#responses.create(event.response ?? {});
      case "response.cancel":
        return this.#responses.cancel(event.response_id ?? null);
    }
  }

  #createItem(event: Extract<ClientEvent, { type: "conversation.item.create" }>): void {
    const stored = itemFromClient(event.item, (prefix) => this.#ids.next(prefix));
    const after = event.previous_item_id ?? null;
    const previous_item_id = this.#conversation.add(stored, { after });
    this.#outbox.emit({ type: "conversation.item.added", previous_item_id, item: stored.item });
    this.#outbox.emit({ type: "conversation.item.done", previous_item_id, item: stored.item });
  }

  #expire(): void {
    this.#outbox.emit({ type: "error", error: plainError("session_expired", EXPIRED) });
    this.leave({ kind: "close", code: 1001, reason: EXPIRED });
  }
}
