/**
 * A loopback hop below a TLS client connection, so that it can be cut.
 *
 * Closing a `Deno.TlsConn` whose peer takes no more leaves its descriptor open. Over a hop whose two
 * plain sockets are closed first, it ends at once. The hop also sees a reset, which TLS hides.
 *
 * ```
 *   TlsConn ── hop ══ loopback ══ hop ── plain TCP ──▶ backend
 * ```
 *
 * @module
 */

import { PumpBuffer } from "./pump_buffer.ts";
import { type ByteStream, DenoStream } from "./stream.ts";

/** The near end of a hop, and the scissors. */
export interface Hop {
  /** What `Deno.startTls` takes. */
  readonly conn: Deno.TcpConn;
  /** Closes the sockets below `conn`. Idempotent. */
  readonly cut: () => void;
  /** Whether the backend reset the connection. */
  readonly wasReset: () => boolean;
}

/** Makes hops. One listener serves all of them. */
export class HopListener implements Disposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  #last: Promise<unknown> = Promise.resolve();

  /** Puts a hop in front of `tcp`, which from now on belongs to it. */
  async join(tcp: Deno.TcpConn): Promise<Hop> {
    const [conn, outer] = await this.#pair();
    const backend = new DenoStream(tcp);
    const loop = new DenoStream(outer);
    let wasReset = false;
    const cut = () => {
      backend.kill();
      loop.kill();
    };
    const inward = pump(backend, loop).then((end) => {
      wasReset = end === "rst";
      if (wasReset) loop.kill();
    });
    void Promise.all([inward, pump(loop, backend)]).then(cut);
    return { conn, cut, wasReset: () => wasReset };
  }

  /** Two ends of a loopback connection. One pair is made at a time, so that both are surely of it. */
  #pair(): Promise<[Deno.TcpConn, Deno.TcpConn]> {
    const pair = this.#last.then(() => this.#makePair());
    this.#last = pair.catch(() => {});
    return pair;
  }

  async #makePair(): Promise<[Deno.TcpConn, Deno.TcpConn]> {
    const { port } = this.#listener.addr;
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    try {
      for (;;) {
        const outer = await this.#listener.accept();
        if (outer.remoteAddr.port === conn.localAddr.port) {
          conn.setNoDelay(true);
          outer.setNoDelay(true);
          return [conn, outer];
        }
        // Somebody else on this machine knocked.
        outer.close();
      }
    } catch (error) {
      conn.close();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#listener.close();
  }
}

async function pump(from: ByteStream, to: ByteStream): Promise<string> {
  const buffer = new PumpBuffer();
  for (;;) {
    const read = await from.read(buffer.space);
    if (typeof read !== "number") {
      await to.closeWrite();
      return read;
    }
    buffer.filled(read);
    if (!await to.write(buffer.head(read))) return "killed";
    buffer.consume(read);
  }
}
