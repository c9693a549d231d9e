/**
 * When a peer's bytes may go on to the endpoint, and how many.
 *
 * Three things hold them back: a pause, because the other leg does not keep up; a budget, because there
 * is no other leg yet; and an endpoint that has not handed over what it got. Once nobody takes data any
 * more, it is dropped.
 *
 * @module
 */

/**
 * So many messages may be on their way to the endpoint. It hands them over one by one, far slower than
 * bytes can be pushed into its socket, where a flood of empty messages would wait in their hundred thousands.
 */
const MESSAGES_AHEAD = 512;

/** See the module. */
export class InwardGate {
  #paused = false;
  #budgetBytes = Infinity;
  #passedBytes = 0;
  #messagesTaken = 0;
  #endpointEnded = false;
  #killed = false;
  #dropping: { frameBytesLeft: number; droppedBytes: number } | undefined;
  #changed: PromiseWithResolvers<void> | undefined;

  /** Bytes that went on. */
  get passedBytes(): number {
    return this.#passedBytes;
  }

  /** Bytes that were dropped. */
  get droppedBytes(): number {
    return this.#dropping?.droppedBytes ?? 0;
  }

  /** Whether nothing may be handed on, though it may have been read already. */
  get isPaused(): boolean {
    return this.#paused && !this.#killed;
  }

  /** How many messages may have been handed on in all; what is dropped is not handed on. */
  get untilMessages(): number {
    return this.#dropping === undefined ? this.#messagesTaken + MESSAGES_AHEAD : Infinity;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#change();
  }

  /** Lets at most `bytes` through in all, until it is called again. */
  limit(bytes: number): void {
    this.#budgetBytes = bytes;
    this.#change();
  }

  /** How many messages the endpoint has handed over. */
  get messagesTaken(): number {
    return this.#messagesTaken;
  }

  /** The endpoint has handed over a message. */
  messageTaken(): void {
    this.#messagesTaken++;
    if (this.#changed !== undefined) this.#change();
  }

  /** @param frameBytesLeft What the frame that has begun still needs; it passes, lest it stays half. */
  drop(frameBytesLeft: number): void {
    this.#dropping ??= { frameBytesLeft, droppedBytes: 0 };
    this.#budgetBytes = Infinity;
    this.resume();
  }

  /** The endpoint takes nothing any more. */
  endpointEnded(): void {
    this.#endpointEnded = true;
    this.#change();
  }

  /** Nobody waits here any more. */
  kill(): void {
    this.#killed = true;
    this.#change();
  }

  /** How many bytes may be read now, when `heldBytes` wait already. */
  mayRead(heldBytes: number): number {
    if (this.#killed) return Infinity;
    return this.#paused ? 0 : this.#budgetBytes - this.#passedBytes - heldBytes;
  }

  /** How many of `bytes` may be handed on; counts them as passed, and the others as dropped. */
  pass(bytes: number): number {
    const dropping = this.#dropping;
    const passed = dropping === undefined ? bytes : Math.min(dropping.frameBytesLeft, bytes);
    this.#passedBytes += passed;
    if (dropping !== undefined) {
      dropping.frameBytesLeft -= passed;
      dropping.droppedBytes += bytes - passed;
    }
    return passed;
  }

  /**
   * Waits until the endpoint is not too far behind.
   *
   * @param messages How many were handed on.
   * @returns False when it takes no more.
   */
  async endpointTakes(messages: number): Promise<boolean> {
    while (messages - this.#messagesTaken > MESSAGES_AHEAD / 2) {
      if (this.#killed || this.#endpointEnded) return false;
      if (this.#dropping !== undefined) break;
      await this.changed();
    }
    return true;
  }

  /** Resolves when something has changed, which is to be looked at again. */
  async changed(): Promise<void> {
    this.#changed ??= Promise.withResolvers();
    await this.#changed.promise;
  }

  #change(): void {
    this.#changed?.resolve();
    this.#changed = undefined;
  }
}
