/**
 * A TCP connection that can be reset: `Deno.Conn` has no way to send a RST.
 *
 * @module
 */

import { connect, createServer, type Server, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import type { RawConn } from "./raw_peer.ts";

/** See the module. Reads on demand, so that a test can stall. */
export class NodeConn implements RawConn {
  readonly #socket: Socket;
  #wake = () => {};
  #ended = false;
  #error: Error | undefined;
  readonly #closed = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on("readable", () => this.#wake());
    socket.on("end", () => this.#finish());
    socket.on("error", (error) => this.#finish(error));
    socket.on("close", () => {
      this.#finish();
      this.#closed.resolve();
    });
  }

  async read(buffer: Uint8Array): Promise<number | null> {
    for (;;) {
      const chunk: Uint8Array | null = this.#socket.read();
      if (chunk !== null) {
        const count = Math.min(chunk.length, buffer.length);
        buffer.set(chunk.subarray(0, count));
        if (count < chunk.length) this.#socket.unshift(chunk.subarray(count));
        return count;
      }
      if (this.#error !== undefined) throw this.#error;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  async write(bytes: Uint8Array): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#socket.write(bytes, (error) => error ? reject(error) : resolve(bytes.length));
    return await promise;
  }

  /** Sends a RST. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Sends a FIN and goes on reading. */
  closeWrite(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#socket.end(resolve);
    return promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Resolves when the descriptor is closed. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  #finish(error?: Error): void {
    this.#ended = true;
    this.#error ??= error;
    this.#wake();
  }
}

/** Connects to a port of this machine; with `caPem`, by TLS that trusts that authority. */
export async function connectNode(port: number, caPem?: string): Promise<NodeConn> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const address = { port, host: "127.0.0.1" };
  const socket = caPem === undefined
    ? connect(address, resolve)
    : connectTls({ ...address, ca: caPem }, resolve);
  socket.once("error", reject);
  await promise;
  return new NodeConn(socket);
}

/** Listens on a port of this machine, a free one unless it is given; with `tls`, for TLS. */
export async function listenNode(
  accept: (conn: NodeConn) => void,
  options: {
    readonly port?: number;
    readonly tls?: { readonly cert: string; readonly key: string };
  },
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const take = (socket: Socket) => accept(new NodeConn(socket));
  const { port = 0, tls } = options;
  const server: Server = tls === undefined ? createServer(take) : createTlsServer(tls, take);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
