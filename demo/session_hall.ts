/**
 * The open sessions of a backend.
 *
 * @module
 */

import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import type { RawData, WebSocket } from "ws";
import type { Admission, Farewell } from "./admission.ts";
import { IdSource } from "./ids.ts";
import type { Journal, SeenClose } from "./journal.ts";
import type { DemoBackendSettings } from "./options.ts";
import { Outbox } from "./outbox.ts";
import { floodWithPings, keepAlive } from "./pings.ts";
import { DemoSession } from "./session.ts";
import { TranscriptionSession } from "./transcription_session.ts";
import { type Exit, type Transport, webSocketTransport } from "./transport.ts";

/** How long clients get to answer the Close frame when the backend stops. */
const CLOSE_TIMEOUT_MS = 500;
const STOPPING: Exit = { kind: "close", code: 1001, reason: "server shutting down" };

/** What is known of a session before it starts. */
export interface Entrance {
  readonly socket: Duplex;
  /** Its place in the order of upgrades, from 1. */
  readonly serial: number;
  /** What is to happen: a session with a model, or no session. */
  readonly admission: Exclude<Admission, { readonly kind: "refusal" }>;
}

/** What a hall needs of a session. */
interface Session {
  receive(text: string | null): void;
  leave(exit: Exit): void;
  end(): void;
}

interface Guest {
  readonly leave: (exit: Exit) => void;
  readonly closed: Promise<SeenClose>;
}

/** Connects sessions with their WebSockets, and ends them all when the backend stops. */
export class SessionHall {
  readonly #settings: DemoBackendSettings;
  readonly #journal: Journal;
  readonly #guests = new Map<WebSocket, Guest>();

  constructor(settings: DemoBackendSettings, journal: Journal) {
    this.#settings = settings;
    this.#journal = journal;
  }

  /** How many WebSockets are open. */
  get size(): number {
    return this.#guests.size;
  }

  /** Starts a session on an accepted WebSocket; resolves when the connection has ended. */
  enter(webSocket: WebSocket, entrance: Entrance): Promise<SeenClose> {
    const closed = new Promise<SeenClose>((resolve) => {
      webSocket.once("close", (code, reason) => {
        this.#guests.delete(webSocket);
        resolve({ code, reason: String(reason) });
      });
    });
    // ws ends the connection after every error, and "close" tells which it was.
    webSocket.on("error", () => {});
    const { masksFrames, floodsWithPings, keepalive, maxSessions, dialect } = this.#settings;
    const transport = webSocketTransport(webSocket, entrance.socket, { masksFrames });
    const { serial, admission } = entrance;
    const farewell = admission.kind === "farewell" ? admission.farewell : dialect.full;
    if (admission.kind === "farewell" || this.size >= maxSessions) {
      this.#guests.set(webSocket, { leave: transport.leave, closed });
      this.#turnAway(transport, { serial, farewell });
      return closed;
    }
    const session = this.#start(transport, { serial, model: admission.model });
    this.#guests.set(webSocket, { leave: (exit) => session.leave(exit), closed });
    webSocket.on("message", (data: RawData, isBinary: boolean) => {
      session.receive(isBinary ? null : String(data));
    });
    webSocket.once("close", () => session.end());
    if (floodsWithPings) floodWithPings(webSocket);
    if (keepalive !== null) keepAlive(webSocket, keepalive);
    return closed;
  }

  /** Ends all sessions with 1001, and those that do not answer without ceremony. */
  async close(): Promise<void> {
    const timer = setTimeout(() => {
      for (const webSocket of this.#guests.keys()) webSocket.terminate();
    }, CLOSE_TIMEOUT_MS);
    const all = [...this.#guests.values()];
    for (const guest of all) guest.leave(STOPPING);
    await Promise.all(all.map(({ closed }) => closed));
    clearTimeout(timer);
  }

  #start(
    transport: Transport,
    { serial, model }: { readonly serial: number; readonly model: string },
  ): Session {
    const { dialect, speed, maxSessionMs, now } = this.#settings;
    const shared = { serial, transport, speed, maxSessionMs, nowMs: now() };
    if (dialect.purpose === "transcription") return new TranscriptionSession(shared);
    return new DemoSession({
      ...shared,
      model,
      dialect,
      report: (response) => this.#journal.addResponse({ serial, response }),
    });
  }

  #turnAway(
    transport: Transport,
    { serial, farewell }: { readonly serial: number; readonly farewell: Farewell },
  ): void {
    const outbox = new Outbox({
      ids: new IdSource(serial),
      dialect: this.#settings.dialect,
      send: (text) => transport.send(text),
    });
    outbox.emit({ type: "error", error: farewell.error });
    transport.leave(farewell.exit);
  }
}
