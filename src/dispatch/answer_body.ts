/**
 * The body of a backend's answer, whose first piece can be waited for before anybody takes it.
 *
 * @module
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** See the module. */
export class AnswerBody {
  readonly #reader: ReadableStreamDefaultReader<Bytes>;
  #ahead: Promise<ReadableStreamReadResult<Bytes>> | undefined;

  constructor(stream: ReadableStream<Bytes>) {
    this.#reader = stream.getReader();
  }

  /**
   * Resolves with the first byte, to false when the body ends without one. Rejects when it breaks off. To be
   * called before `read`, which need not wait for it.
   */
  async begins(): Promise<boolean> {
    this.#ahead = this.#readByte();
    return !(await this.#ahead).done;
  }

  /** The next piece. Rejects when the body has broken off. */
  read(): Promise<ReadableStreamReadResult<Bytes>> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead ?? this.#reader.read();
  }

  /** Wants no more of it. A read that is under way gets the end. */
  cancel(): void {
    this.#ahead = undefined;
    void this.#reader.cancel().catch(() => {});
  }

  async #readByte(): Promise<ReadableStreamReadResult<Bytes>> {
    for (;;) {
      const read = await this.#reader.read();
      if (read.done || read.value.length > 0) return read;
    }
  }
}
