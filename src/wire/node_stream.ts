/**
 * A {@link ByteStream} over a Node TLS socket. Only the TLS acceptor uses it: connections accepted by
 * `Deno.listenTls` have no `setNoDelay`, which costs them 44 ms a frame.
 *
 * @module
 */

import type { TLSSocket } from "node:tls";
import type { ByteStream, StreamEnd } from "./stream.ts";

/** See the module. */
export class NodeStream implements ByteStream {
  readonly #socket: TLSSocket;
  #chunk: Uint8Array | undefined;
  #end: StreamEnd | undefined;
  #wake: (() => void) | undefined;

  /** @param socket A connected socket, paused; from now on it belongs to the stream. */
  constructor(socket: TLSSocket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("readable", () => this.#wake?.());
    socket.on("end", () => this.#ended("fin"));
    socket.on("error", () => this.#ended("rst"));
    socket.on("close", () => this.#ended("rst"));
  }

  async read(buffer: Uint8Array): Promise<number | StreamEnd> {
    for (;;) {
      this.#chunk ??= this.#socket.read() ?? undefined;
      if (this.#chunk !== undefined) return this.#take(buffer, this.#chunk);
      if (this.#end !== undefined) return this.#end;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  write(bytes: Uint8Array): Promise<boolean> {
    if (this.#socket.destroyed) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const gone = () => resolve(false);
    this.#socket.once("close", gone);
    this.#socket.write(bytes, (error) => {
      this.#socket.off("close", gone);
      resolve(error === null || error === undefined);
    });
    return promise;
  }

  closeWrite(): Promise<void> {
    if (this.#socket.destroyed || this.#socket.writableEnded) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.once("close", resolve);
    this.#socket.end(() => resolve());
    return promise;
  }

  kill(): void {
    this.#ended("killed");
    this.#socket.destroy();
  }

  #take(buffer: Uint8Array, chunk: Uint8Array): number {
    const count = Math.min(buffer.length, chunk.length);
    buffer.set(count === chunk.length ? chunk : chunk.subarray(0, count));
    this.#chunk = count === chunk.length ? undefined : chunk.subarray(count);
    return count;
  }

  #ended(end: StreamEnd): void {
    this.#end ??= end;
    this.#wake?.();
  }
}
