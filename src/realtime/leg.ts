/**
 * One leg of a session: the built-in WebSocket that speaks the protocol, and the wire below it that
 * knows what really happened and can do what the built-in cannot.
 *
 * @module
 */

import type { CloseFrame, WireLeg } from "../wire/mod.ts";
import type { Ending, Side } from "./ending.ts";

/** A message as it is relayed: text stays text, binary stays binary. */
export type Message = string | ArrayBuffer;

/** The ending of a session that an ending leg brings about. */
export type LegEnding = Extract<Ending, { kind: "closed" | "aborted" }>;

/** About what a waiting message costs besides its bytes, so that empty ones do not pile up either. */
const MESSAGE_OVERHEAD_BYTES = 512;

const NOT_UTF8 = { code: 1007, reason: "text is not UTF-8" } as const;

/** See the module. */
export class Leg {
  readonly side: Side;
  readonly wire: WireLeg;
  /** Resolves to true when the handshake is done, to false when it never will be. */
  readonly opened: Promise<boolean>;
  /** Resolves when the peer ends the leg; never rejects. */
  readonly ended: Promise<LegEnding>;
  /** Takes the peer's messages, in order. */
  onMessage: (message: Message) => void = () => {};
  readonly #socket: WebSocket;
  #sent = 0;
  #closing = false;
  /** A text ended within a character: nothing that came with it or after it is handed on. */
  #isCut = false;
  #errorMessage = "";

  constructor(side: Side, parts: { readonly socket: WebSocket; readonly wire: WireLeg }) {
    const { socket, wire } = parts;
    this.side = side;
    this.wire = wire;
    this.#socket = socket;
    const opened = Promise.withResolvers<boolean>();
    const ended = Promise.withResolvers<LegEnding>();
    this.opened = opened.promise;
    this.ended = ended.promise;
    const settle = () => {
      opened.resolve(false);
      ended.resolve(this.#endingNow());
    };
    socket.binaryType = "arraybuffer";
    socket.onopen = () => opened.resolve(true);
    socket.onmessage = (event: MessageEvent<Message>) => {
      if (this.#isCut) return;
      if (wire.messageTaken()) return this.onMessage(event.data);
      this.#isCut = true;
      wire.fail(NOT_UTF8);
      ended.resolve(this.#endingNow());
      this.close(NOT_UTF8);
    };
    socket.onerror = (event) => {
      this.#errorMessage = event instanceof ErrorEvent ? event.message : "";
      // An upgrade that comes to nothing behind its 101 tells by this alone: no close follows.
      if (socket.readyState === WebSocket.CONNECTING) wire.kill();
    };
    socket.onclose = () => {
      settle();
      wire.endpointClosed();
    };
    // A client that goes before its 101 is written never becomes a WebSocket that could tell.
    void wire.finished.then(settle);
  }

  /** What waits to be taken by the peer, in bytes. */
  get backlogBytes(): number {
    const waiting = this.#sent - this.wire.messagesAccepted;
    return this.#socket.bufferedAmount + waiting * MESSAGE_OVERHEAD_BYTES;
  }

  /** Messages given to this leg. */
  get messagesSent(): number {
    return this.#sent;
  }

  /**
   * Sends a message; one that comes when the leg is closing is dropped, as its peer listens no more.
   *
   * @returns Whether it was sent; then its number is {@link messagesSent}.
   */
  send(message: Message): boolean {
    if (this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#sent++;
    this.#socket.send(message);
    return true;
  }

  /** Sends a close frame after what was sent. Only the first call counts. */
  close(close: CloseFrame): void {
    if (this.#closing) return;
    this.#closing = true;
    this.wire.decideClose(close);
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(1000);
    else if (this.#socket.readyState === WebSocket.CONNECTING) this.wire.kill();
  }

  /** Why the leg is ending, from the wire's record; the endpoint's event says little. */
  #endingNow(): LegEnding {
    const by = this.side;
    const invalidText = /utf-?8/i.test(this.#errorMessage);
    const unexplained = this.wire.end === undefined ||
      (invalidText && this.wire.end.kind === "closed");
    if (unexplained && !this.#closing) {
      // The wire let it pass, so it is what only the endpoint checks.
      this.wire.fail(
        invalidText ? NOT_UTF8 : { code: 1002, reason: "protocol error" },
      );
    }
    const end = this.wire.end;
    if (end?.kind === "closed") return { kind: "closed", by, close: end.close };
    if (end?.kind === "violation") {
      return { kind: "aborted", by, how: "violation", code: end.violation.code };
    }
    return { kind: "aborted", by, how: end?.kind ?? "killed", code: null };
  }
}
