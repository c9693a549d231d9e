/**
 * The runtime's own WebSocket client, as one that is waited on.
 *
 * @module
 */

import { neverToBeLogged, payloadSent } from "./log_watch.ts";
import { credentialsIn } from "./request_credentials.ts";
import { textTurn, typeOf } from "./text_turn.ts";

/** The end of a connection as the client shows it. */
export interface NativeEnd {
  readonly code: number;
  readonly reason: string;
  readonly wasClean: boolean;
}

/** See the module. */
export class NativeClient implements AsyncDisposable {
  /** Resolves when the connection has ended. */
  readonly ended: Promise<NativeEnd>;
  readonly #socket: WebSocket;
  readonly #texts: string[] = [];
  #wake = Promise.withResolvers<void>();
  #isOver = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    const ended = Promise.withResolvers<NativeEnd>();
    this.ended = ended.promise;
    socket.onmessage = ({ data }) => {
      this.#texts.push(String(data));
      this.#wake.resolve();
    };
    socket.onclose = ({ code, reason, wasClean }) => {
      this.#isOver = true;
      this.#wake.resolve();
      ended.resolve({ code, reason, wasClean });
    };
  }

  /** Connects. @throws {Error} With the client's own words when it cannot. */
  static async open(
    url: string,
    options: { readonly headers?: Record<string, string>; readonly protocols?: string[] } = {},
  ): Promise<NativeClient> {
    neverToBeLogged(...credentialsIn(options.headers ?? {}));
    const socket = new WebSocket(url, options);
    const opened = Promise.withResolvers<void>();
    socket.onopen = () => opened.resolve();
    socket.onerror = (event) =>
      opened.reject(new Error(event instanceof ErrorEvent ? event.message : "no detail"));
    const client = new NativeClient(socket);
    await opened.promise;
    return client;
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  send(text: string): void {
    payloadSent(text);
    this.#socket.send(text);
  }

  close(code?: number, reason?: string): void {
    this.#socket.close(code, reason);
  }

  /** The next text message that has not been asked for yet. @throws {Error} When the connection ends before. */
  async next(): Promise<string> {
    for (;;) {
      const text = this.#texts.shift();
      if (text !== undefined) return text;
      if (this.#isOver) throw new Error("the connection has ended");
      this.#wake = Promise.withResolvers();
      await this.#wake.promise;
    }
  }

  /** Passes over messages up to the first event of `type`, and resolves to that. */
  async skipTo(type: string): Promise<string> {
    for (;;) {
      const text = await this.next();
      if (typeOf(text) === type) return text;
    }
  }

  /** Has one text turn with a demo backend. */
  async textTurn(options?: Parameters<typeof textTurn>[0]): Promise<void> {
    await this.skipTo("session.created");
    for (const text of textTurn(options)) this.send(text);
    await this.skipTo("response.done");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await this.ended;
  }
}
