/**
 * Two {@link ByteStream}s joined in memory. What one writes the other reads, in the same pieces; either
 * can stall, end in order, or be reset. Misuse that a socket would punish by spinning or by mixing up
 * bytes is an error here: a read into an empty buffer, two reads or two writes at a time.
 *
 * @module
 */

import type { ByteStream, StreamEnd } from "../../src/wire/mod.ts";

/** Two ends of one connection. */
export function memoryPair(): [MemoryStream, MemoryStream] {
  const one = new MemoryStream();
  const other = new MemoryStream();
  one.join(other);
  other.join(one);
  return [one, other];
}

/** See the module. */
export class MemoryStream implements ByteStream {
  #other: MemoryStream = this;
  #inbox: Uint8Array[] = [];
  #inboxBytes = 0;
  #inboxEnd: "fin" | "rst" | undefined;
  #writable = true;
  #killed = false;
  #reading = false;
  #writing = false;
  #heldBytes = Infinity;
  #changed: PromiseWithResolvers<void> | undefined;

  /** Connects it to its other end. */
  join(other: MemoryStream): void {
    this.#other = other;
  }

  /** How many unread bytes it holds before writes to it wait; 0 stalls the writer until all is read. */
  set holdsBytes(bytes: number) {
    this.#heldBytes = bytes;
    this.#other.#change();
  }

  /** Bytes that wait to be read here. */
  get waitingBytes(): number {
    return this.#inboxBytes;
  }

  /** How the other end ended, whether or not everything before that was read. */
  get otherEnd(): StreamEnd | undefined {
    return this.#inboxEnd;
  }

  /** Whether it was ended by `kill` or `reset`. */
  get killed(): boolean {
    return this.#killed;
  }

  async read(buffer: Uint8Array): Promise<number | StreamEnd> {
    if (buffer.length === 0) throw new Error("read into an empty buffer");
    if (this.#reading) throw new Error("two reads at a time");
    this.#reading = true;
    try {
      for (;;) {
        if (this.#killed) return "killed";
        const chunk = this.#inbox.shift();
        if (chunk !== undefined) return this.#take(buffer, chunk);
        if (this.#inboxEnd !== undefined) return this.#inboxEnd;
        await this.#nextChange();
      }
    } finally {
      this.#reading = false;
    }
  }

  async write(bytes: Uint8Array): Promise<boolean> {
    if (this.#writing) throw new Error("two writes at a time");
    const other = this.#other;
    if (!this.#writable || other.#killed) return false;
    if (bytes.length === 0) return true;
    other.#inbox.push(bytes.slice());
    other.#inboxBytes += bytes.length;
    other.#change();
    this.#writing = true;
    try {
      while (other.#inboxBytes > other.#heldBytes) {
        await this.#nextChange();
        if (this.#killed || other.#killed) return false;
      }
      return true;
    } finally {
      this.#writing = false;
    }
  }

  closeWrite(): Promise<void> {
    this.#endWriting("fin");
    return Promise.resolve();
  }

  /** As the kernel does: the other end sees a reset when something it sent was not read. */
  kill(): void {
    if (this.#killed) return;
    this.#endWriting(this.#inboxBytes > 0 ? "rst" : "fin");
    this.#killed = true;
    this.#change();
    this.#other.#change();
  }

  /** Ends it at once, and the other end sees a reset. */
  reset(): void {
    this.#writable = false;
    this.#other.#inboxEnd = "rst";
    this.#killed = true;
    this.#change();
    this.#other.#change();
  }

  /** Everything that waits to be read, at once. */
  takeAll(): Uint8Array<ArrayBuffer> {
    const all = concatBytes(this.#inbox);
    this.#inbox = [];
    this.#inboxBytes = 0;
    this.#other.#change();
    return all;
  }

  /** Reads up to the other end's end. */
  async readToEnd(): Promise<
    { readonly bytes: Uint8Array<ArrayBuffer>; readonly end: StreamEnd }
  > {
    const parts: Uint8Array[] = [];
    const buffer = new Uint8Array(64 * 1024);
    for (;;) {
      const read = await this.read(buffer);
      if (typeof read !== "number") return { bytes: concatBytes(parts), end: read };
      parts.push(buffer.slice(0, read));
    }
  }

  #take(buffer: Uint8Array, chunk: Uint8Array): number {
    const count = Math.min(buffer.length, chunk.length);
    buffer.set(chunk.subarray(0, count));
    if (count < chunk.length) this.#inbox.unshift(chunk.subarray(count));
    this.#inboxBytes -= count;
    this.#other.#change();
    return count;
  }

  #endWriting(end: "fin" | "rst"): void {
    if (!this.#writable && end === "fin") return;
    this.#writable = false;
    this.#other.#inboxEnd ??= end;
    this.#other.#change();
  }

  /** Wakes whoever waits here. */
  #change(): void {
    this.#changed?.resolve();
    this.#changed = undefined;
  }

  async #nextChange(): Promise<void> {
    this.#changed ??= Promise.withResolvers();
    await this.#changed.promise;
  }
}

/** Joins byte arrays. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
