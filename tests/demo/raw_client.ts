/**
 * A client over npm `ws` that shows everything: events in order, close codes, refused handshakes.
 *
 * @module
 */

// @ts-types="@types/ws"
import { WebSocket } from "ws";

/** An event as it was received. */
export interface ReceivedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** How a connection ended. */
export interface ReceivedClose {
  readonly code: number;
  readonly reason: string;
}

/** Options of {@link RawClient.open}. */
export interface RawClientOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  /** A certificate to trust, in PEM. */
  readonly ca?: string;
}

/** A connected client; `await using` closes it. */
export class RawClient implements AsyncDisposable {
  /** Resolves when the connection has ended. */
  readonly closed: Promise<ReceivedClose>;
  /** The sizes of all messages so far, in bytes. */
  readonly sizes: number[] = [];
  readonly #socket: WebSocket;
  readonly #events: ReceivedEvent[] = [];
  #wake: () => void = () => {};
  #ended = false;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => {
        this.#ended = true;
        this.#wake();
        resolve({ code, reason: String(reason) });
      });
    });
    socket.on("error", () => {});
    socket.on("message", (data) => {
      const text = String(data);
      this.sizes.push(new TextEncoder().encode(text).length);
      this.#events.push(JSON.parse(text));
      this.#wake();
    });
  }

  /** Connects; a refusal throws an error whose message has the status. */
  static async open(url: string, options: RawClientOptions = {}): Promise<RawClient> {
    const { headers = {}, protocols = [], ca } = options;
    const socket = new WebSocket(url, [...protocols], {
      headers: { ...headers },
      ...(ca === undefined ? {} : { ca }),
    });
    const client = new RawClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    });
    return client;
  }

  /** The subprotocol the server chose. */
  get protocol(): string {
    return this.#socket.protocol;
  }

  /** The negotiated extensions. */
  get extensions(): string {
    return this.#socket.extensions;
  }

  /** Sends an event. */
  send(event: object): void {
    this.#socket.send(JSON.stringify(event));
  }

  /** Sends a message as it is: text for a string, binary otherwise. */
  sendRaw(message: string | Uint8Array): void {
    this.#socket.send(message);
  }

  /** The next event, whatever it is. */
  async next(): Promise<ReceivedEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event !== undefined) return event;
      if (this.#ended) throw new Error("The connection ended before the next event");
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** All events up to the next one of this type, which is the last of the list. */
  async until(type: string): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    for (;;) {
      const event = await this.next();
      events.push(event);
      if (event.type === type) return events;
    }
  }

  /** The next event of this type; those before it are skipped. */
  async skipTo(type: string): Promise<ReceivedEvent> {
    for (;;) {
      const event = await this.next();
      if (event.type === type) return event;
    }
  }

  /** Everything that comes until the connection ends. */
  async rest(): Promise<ReceivedEvent[]> {
    await this.closed;
    return this.#events.splice(0);
  }

  /** Closes the connection with a code. */
  close(code = 1000): Promise<ReceivedClose> {
    this.#socket.close(code);
    return this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }
}

/** The types of events, in order. */
export function typesOf(events: readonly ReceivedEvent[]): string[] {
  return events.map(({ type }) => type);
}
