/**
 * A client's connection to a realtime endpoint, with its timeline.
 *
 * @module
 */

import { z } from "zod";
import { Timeline } from "./timeline.ts";

const CLOSE_TIMEOUT_MS = 2_000;

const serverEventSchema = z.looseObject({ type: z.string() });
const errorSchema = z.object({ error: z.object({ code: z.string().nullish() }) });

/** Options of {@link TurnConnection}. */
export interface TurnConnectionOptions {
  /** Prints one line of the timeline. */
  readonly log: (line: string) => void;
  /** Headers of the upgrade request. @default {{}} */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A WebSocket that one waits on for one kind of event at a time. */
export class TurnConnection {
  /** When the first audio came, by `performance.now()`. */
  firstAudioMs: number | null = null;
  readonly #socket: WebSocket;
  readonly #timeline: Timeline;
  readonly #closed = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #wanted: { readonly type: string; readonly found: (event: object) => void } | null = null;

  constructor(url: string, { headers = {}, log }: TurnConnectionOptions) {
    this.#timeline = new Timeline({ log, nowMs: () => performance.now() });
    // Whoever waits hears of it; nobody has to be waiting.
    this.#failed.promise.catch(() => {});
    this.#socket = new WebSocket(url, { headers: { ...headers } });
    this.#socket.onmessage = ({ data }) => this.#receive(String(data));
    this.#socket.onerror = (event) => {
      const detail = event instanceof ErrorEvent ? event.message : "no detail";
      this.fail(new Error(`The connection failed: ${detail}`));
    };
    this.#socket.onclose = ({ code }) => {
      this.fail(new Error(`The connection ended with code ${code}`));
      this.#closed.resolve();
    };
  }

  /** Sends an event. */
  send(event: { readonly type: string; readonly [field: string]: unknown }): void {
    const text = JSON.stringify(event);
    this.#timeline.add("→", event.type, { bytes: text.length });
    this.#socket.send(text);
  }

  /**
   * The next event of this type.
   *
   * @throws {Error} When the connection fails or ends, or the server reports an error.
   */
  next(type: string): Promise<object> {
    const { promise, resolve } = Promise.withResolvers<object>();
    this.#wanted = { type, found: resolve };
    return Promise.race([promise, this.#failed.promise]);
  }

  /** Ends the waiting with an error; only the first one counts. */
  fail(error: Error): void {
    this.#failed.reject(error);
  }

  /** Prints what the timeline still holds back. */
  flush(): void {
    this.#timeline.flush();
  }

  /** Ends the connection, whatever its state. */
  async close(): Promise<void> {
    this.flush();
    this.#socket.onmessage = null;
    if (this.#socket.readyState !== WebSocket.CLOSED) this.#socket.close();
    const timer = setTimeout(() => this.#closed.resolve(), CLOSE_TIMEOUT_MS);
    await this.#closed.promise;
    clearTimeout(timer);
  }

  #receive(text: string): void {
    const event = serverEventSchema.safeParse(parsed(text)).data;
    const type = event?.type ?? "unreadable";
    this.#timeline.add("←", type, { bytes: new TextEncoder().encode(text).length });
    if (event === undefined) return;
    if (type === "error") {
      const code = errorSchema.safeParse(event).data?.error.code ?? "unknown";
      this.fail(new Error(`The server reported an error: ${code}`));
    }
    if (type === "response.output_audio.delta") this.firstAudioMs ??= performance.now();
    if (type === this.#wanted?.type) this.#wanted.found(event);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
