/**
 * The body of a backend's answer on its way to the client: read only as fast as the client takes it, and
 * ended for both when either ends.
 *
 * @module
 */

import type { AnswerBody } from "./answer_body.ts";
import { stopReasonOf } from "./lifetime.ts";

/**
 * How a body ended: completely; broken off by the backend; out of time, by the backend's fault or by that of
 * a client that did not take what was there; or left by the client.
 */
export type BodyEnding = "complete" | "broken" | "timeout" | "client_slow" | "client_gone";

/** Told how a body goes. */
export interface BodyObserver {
  /** A piece was handed on. */
  piece(bytes: Uint8Array): void;
  /** The end, once. */
  ended(ending: BodyEnding): void;
}

/** What {@link relayBody} takes besides the body. */
export interface RelayOptions {
  /** Aborted when the request is to stop, as the request to the backend was. */
  readonly signal: AbortSignal;
  /** What `Content-Length` says, when it says something. */
  readonly contentLength: number | null;
  readonly observer: BodyObserver;
}

/** An answer that cannot be brought to its end. Without a stack, since the HTTP server prints it. */
export class AnswerCutOff extends Error {
  override readonly name = "AnswerCutOff";

  constructor() {
    super("an answer was cut off after its head");
    delete this.stack;
  }
}

/** The stream that the client is given. */
export function relayBody(
  body: AnswerBody,
  options: RelayOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(new RelaySource(body, options), { highWaterMark: 0 });
}

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

class RelaySource implements UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> {
  readonly #body: AnswerBody;
  readonly #options: RelayOptions;
  #controller: Controller | undefined;
  #left: number;
  #isReading = false;
  #hasEnded = false;

  constructor(body: AnswerBody, options: RelayOptions) {
    this.#body = body;
    this.#options = options;
    this.#left = options.contentLength ?? Infinity;
  }

  start(controller: Controller): void {
    this.#controller = controller;
    this.#options.signal.addEventListener("abort", this.#stop);
    if (this.#options.signal.aborted) this.#stop();
  }

  async pull(): Promise<void> {
    const piece = this.#hasEnded ? undefined : await this.#read();
    if (piece === undefined) return this.#close();
    this.#controller?.enqueue(piece);
    this.#options.observer.piece(piece);
    this.#left -= piece.length;
    if (this.#left > 0) return;
    // The client may be done with the last byte, and ask no more. The backend's end is read all the same,
    // which gives its connection back.
    this.#end("complete");
    this.#close();
    void this.#body.read().catch(() => {});
  }

  cancel(): void {
    this.#controller = undefined;
    this.#end("client_gone");
  }

  /** The next piece; undefined when the body has ended. */
  async #read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.#isReading = true;
    try {
      const { done, value } = await this.#body.read();
      if (this.#hasEnded) return undefined;
      if (!done) return value;
      this.#end("complete");
    } catch {
      this.#end("broken");
    } finally {
      this.#isReading = false;
    }
    return undefined;
  }

  readonly #stop = (): void => {
    const reason = stopReasonOf(this.#options.signal);
    if (reason === "client_gone") this.#end("client_gone");
    else this.#end(this.#isReading ? "timeout" : "client_slow");
  };

  #end(ending: BodyEnding): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.signal.removeEventListener("abort", this.#stop);
    if (ending !== "complete") this.#body.cancel();
    this.#options.observer.ended(ending);
    if (ending === "complete" || ending === "client_gone") return;
    this.#controller?.error(new AnswerCutOff());
    this.#controller = undefined;
  }

  /** Closes the client's side, unless it was left or cut off. */
  #close(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }
}
