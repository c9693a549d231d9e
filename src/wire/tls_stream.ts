/**
 * TLS to a client, as a {@link ByteStream} over its plain one. Connections accepted by `Deno.listenTls` have no
 * `setNoDelay`, which costs them 44 ms a frame, and `node:tls` reads from a socket of its own without end,
 * whatever is taken of it. Here it has a stream of ours below, which gives it bytes only while somebody reads.
 *
 * @module
 */

import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { type SecureContext, TLSSocket } from "node:tls";
import type { ByteStream, StreamEnd } from "./stream.ts";

/** What a handshake needs. */
export interface HandshakeOptions {
  readonly secureContext: SecureContext;
  readonly timeoutMs: number;
}

/** See the module. */
export class TlsStream implements ByteStream {
  readonly #socket: TLSSocket;
  readonly #below: Below;
  #chunk: Uint8Array | undefined;
  #end: StreamEnd | undefined;
  #wake: (() => void) | undefined;
  #fault: Error | undefined;

  private constructor(plain: ByteStream, secureContext: SecureContext) {
    this.#below = new Below(plain);
    // Any duplex will do; the types know of sockets only.
    this.#socket = new TLSSocket(this.#below as unknown as Socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: ["http/1.1"],
    });
    this.#socket.on("readable", () => this.#wake?.());
    this.#socket.on("end", () => this.#ended("fin"));
    this.#socket.on("error", (error) => {
      this.#fault = error;
      this.#ended("rst");
    });
    this.#socket.on("close", () => this.#ended("rst"));
  }

  /** Does the server's part of a handshake. Undefined when it fails or takes too long; `plain` is ended then. */
  static async accept(
    plain: ByteStream,
    { secureContext, timeoutMs }: HandshakeOptions,
  ): Promise<TlsStream | undefined> {
    const stream = new TlsStream(plain, secureContext);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    stream.#wake = () => {
      if (stream.#end !== undefined) resolve(false);
    };
    stream.#socket.once("secure", () => resolve(true));
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      resolve(false);
      late.resolve();
    }, timeoutMs);
    const isDone = await promise;
    if (!isDone && stream.#fault !== undefined) {
      await Promise.race([sendAlert(plain, stream.#fault), late.promise]);
    }
    clearTimeout(timer);
    stream.#wake = undefined;
    if (!isDone) {
      stream.kill();
      return undefined;
    }
    stream.#below.handshakeDone();
    return stream;
  }

  async read(buffer: Uint8Array): Promise<number | StreamEnd> {
    for (;;) {
      this.#chunk ??= this.#socket.read() ?? undefined;
      if (this.#chunk !== undefined) {
        this.#below.isWanted = false;
        return this.#take(buffer, this.#chunk);
      }
      if (this.#end !== undefined) return this.#end;
      this.#below.isWanted = true;
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
    this.#below.kill();
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

/** Alerts of RFC 8446 §6.2. */
const ALERT = { handshakeFailure: 40, noApplicationProtocol: 120 } as const;

/** Says why a handshake failed, which `node:tls` over a stream does not. */
async function sendAlert(plain: ByteStream, fault: Error): Promise<void> {
  const isOfAlpn = /\bprotocol\b/i.test(fault.message);
  const alert = isOfAlpn ? ALERT.noApplicationProtocol : ALERT.handshakeFailure;
  // A record of type alert, version TLS 1.2 for all that came later, two bytes: fatal, and which.
  await plain.write(Uint8Array.of(21, 3, 3, 0, 2, 2, alert));
  await plain.closeWrite();
}

const SMALL_BYTES = 4 * 1024;
const LARGE_BYTES = 64 * 1024;

/** What `node:tls` takes for the connection. */
class Below extends Duplex {
  readonly #plain: ByteStream;
  /** Then it wants whatever comes, and its end is not yet the connection's. */
  #isHandshake = true;
  #isWanted = true;
  #wake: (() => void) | undefined;
  #nextBytes = SMALL_BYTES;

  constructor(plain: ByteStream) {
    // As over TCP, a client that says it has sent all still gets its answer.
    super({ allowHalfOpen: true });
    this.#plain = plain;
  }

  /** From now on it is read as it is wanted. */
  handshakeDone(): void {
    this.#isHandshake = false;
    this.#isWanted = false;
  }

  /** Ends the connection at once. */
  kill(): void {
    this.#isHandshake = false;
    this.destroy();
    this.#plain.kill();
  }

  set isWanted(isWanted: boolean) {
    this.#isWanted = isWanted;
    if (isWanted) this.#wake?.();
  }

  override _read(): void {
    void this.#feed();
  }

  override _write(chunk: Uint8Array, _encoding: unknown, done: (error?: Error) => void): void {
    this.#plain.write(chunk).then((taken) => taken ? done() : done(new Error("the peer is gone")));
  }

  override _final(done: () => void): void {
    this.#plain.closeWrite().then(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isHandshake) this.#plain.kill();
    this.#wake?.();
    done(error);
  }

  async #feed(): Promise<void> {
    while (!this.#isWanted && !this.destroyed) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.destroyed) return;
    const buffer = new Uint8Array(this.#nextBytes);
    const read = await this.#plain.read(buffer);
    if (typeof read === "number") {
      this.#nextBytes = read === buffer.length ? LARGE_BYTES : SMALL_BYTES;
      this.push(buffer.subarray(0, read));
    } else if (read === "fin") this.push(null);
    else this.destroy(new Error("the connection is reset"));
  }
}
