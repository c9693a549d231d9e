/**
 * The body of a backend's answer, whose first piece can be waited for before anybody takes it.
 *
 * @module
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** See the module. */
export class AnswerBody {
  readonly #reader: ReadableStreamDefaultReader<Bytes>;
  #ahead: ReadableStreamReadResult<Bytes> | undefined;

  constructor(stream: ReadableStream<Bytes>) {
    this.#reader = stream.getReader();
  }

  /** Waits for the first byte; gives false when the body ends without one. Rejects when it breaks off. */
  async begins(): Promise<boolean> {
    do this.#ahead = await this.#reader.read(); while (this.#ahead.value?.length === 0);
    return !this.#ahead.done;
  }

  /** The next piece. Rejects when the body has broken off. */
  async read(): Promise<ReadableStreamReadResult<Bytes>> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead ?? await this.#reader.read();
  }

  /** Wants no more of it. A read that is under way gets the end. */
  cancel(): void {
    this.#ahead = undefined;
    void this.#reader.cancel().catch(() => {});
  }
}
