/**
 * The open sessions of a backend.
 *
 * @module
 */

import type { Duplex } from "node:stream";
// @ts-types="@types/ws"
import type { RawData, WebSocket } from "ws";
import { plainError } from "./error_detail.ts";
import { IdSource } from "./ids.ts";
import type { Journal, SeenClose } from "./journal.ts";
import type { DemoBackendSettings } from "./options.ts";
import { Outbox } from "./outbox.ts";
import { DemoSession } from "./session.ts";
import { type Exit, type Transport, webSocketTransport } from "./transport.ts";

/** How long clients get to answer the Close frame when the backend stops. */
const CLOSE_TIMEOUT_MS = 500;
const FULL = "All session slots are in use";
const STOPPING: Exit = { kind: "close", code: 1001, reason: "server shutting down" };

/** What is known of a session before it starts. */
export interface Entrance {
  readonly socket: Duplex;
  /** Its place in the order of upgrades, from 1. */
  readonly serial: number;
  readonly model: string;
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
    const transport = webSocketTransport(webSocket, entrance.socket);
    if (this.size >= this.#settings.maxSessions) {
      this.#guests.set(webSocket, { leave: transport.leave, closed });
      this.#turnAway(transport, entrance.serial);
      return closed;
    }
    const session = this.#start(transport, entrance);
    this.#guests.set(webSocket, { leave: (exit) => session.leave(exit), closed });
    webSocket.on("message", (data: RawData, isBinary: boolean) => {
      session.receive(isBinary ? null : String(data));
    });
    webSocket.once("close", () => session.end());
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

  #start(transport: Transport, { serial, model }: Entrance): DemoSession {
    const { dialect, speed, maxSessionMs } = this.#settings;
    return new DemoSession({
      serial,
      model,
      transport,
      dialect,
      speed,
      maxSessionMs,
      nowMs: Date.now(),
      report: (response) => this.#journal.addResponse({ serial, response }),
    });
  }

  #turnAway(transport: Transport, serial: number): void {
    const outbox = new Outbox({
      ids: new IdSource(serial),
      dialect: this.#settings.dialect,
      send: (text) => transport.send(text),
    });
    outbox.emit({ type: "error", error: plainError("session_limit_reached", FULL) });
    transport.leave({ kind: "close", code: 1008, reason: FULL });
  }
}
