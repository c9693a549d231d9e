/**
 * The front of the router: one acceptor per bind address, and an HTTP server in this process that only
 * serves what came through them.
 *
 * @module
 */

import { EdgeConnection, type EdgeConnectionOptions } from "./edge_connection.ts";
import type { RenderRefusal } from "./edge_refusal.ts";
import { InnerServer } from "./inner_server.ts";
import type { ByteStream, PeerAddress } from "./stream.ts";
import { type Acceptor, listenTcp, listenTls, type TlsIdentity } from "./acceptor.ts";

/** What the edge serves and how. */
export interface EdgeOptions {
  /** Where to listen; port 0 takes a free one. */
  readonly listen: readonly PeerAddress[];
  /** Serves TLS instead of plain TCP. */
  readonly tls?: TlsIdentity;
  /** Answers a request that came through `connection`. Must not reject. */
  readonly handler: (request: Request, connection: EdgeConnection) => Response | Promise<Response>;
  /** A Unix socket for the HTTP server in this process. @default {undefined} a port of 127.0.0.1 */
  readonly socketPath?: string | undefined;
  readonly renderRefusal: RenderRefusal;
  /** The most bytes of one message from a client (spec §6 "Size"). */
  readonly maxMessageBytes: number;
  /** The most client connections at a time; one more is answered 503. */
  readonly maxConnections: number;
  /** Of TLS. @default {10_000} */
  readonly handshakeTimeoutMs?: number;
  /** @default {10_000} */
  readonly headTimeoutMs?: number;
  /** @default {75_000} */
  readonly keepAliveMs?: number;
  /** @default {60_000} */
  readonly stallTimeoutMs?: number;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Told of an acceptor's trouble, such as too many open files. */
  readonly onAcceptError: (error: unknown) => void;
}

/** An address cannot be listened on; the message names it and says why. */
export class ListenError extends Error {
  override readonly name = "ListenError";

  constructor(address: PeerAddress, cause: unknown) {
    const { hostname, port } = address;
    const host = hostname.includes(":") ? `[${hostname}]` : hostname;
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`cannot listen on ${host}:${port}: ${why}`, { cause });
  }
}

/** See the module. */
export class Edge {
  readonly #open = new Set<EdgeConnection>();
  readonly #runs = new Set<Promise<void>>();
  readonly #acceptors: Acceptor[] = [];
  readonly #options: EdgeOptions;
  readonly #connectionOptions: EdgeConnectionOptions;
  readonly #server: InnerServer;

  private constructor(options: EdgeOptions) {
    this.#options = options;
    const { handler, socketPath, onAcceptError } = options;
    this.#server = new InnerServer({ handler, socketPath, onError: onAcceptError });
    this.#connectionOptions = {
      connectNear: (connection) => this.#server.connect(connection),
      renderRefusal: options.renderRefusal,
      maxMessageBytes: options.maxMessageBytes,
      now: options.now,
      headTimeoutMs: options.headTimeoutMs ?? 10_000,
      keepAliveMs: options.keepAliveMs ?? 75_000,
      stallTimeoutMs: options.stallTimeoutMs ?? 60_000,
    };
  }

  /**
   * Listens on every address, or on none.
   *
   * @throws {ListenError} When an address cannot be had.
   */
  static async start(options: EdgeOptions): Promise<Edge> {
    const edge = new Edge(options);
    try {
      for (const address of options.listen) edge.#acceptors.push(await edge.#listenOn(address));
    } catch (error) {
      await edge.close();
      throw error;
    }
    return edge;
  }

  /** The addresses listened on, with their real ports. */
  get addresses(): readonly PeerAddress[] {
    return this.#acceptors.map((acceptor) => acceptor.address);
  }

  /** Client connections open now. */
  get connectionCount(): number {
    return this.#open.size;
  }

  /** Ends each open connection when its client has the answers that it asked for. */
  async endAfterAnswers(): Promise<void> {
    for (const connection of this.#open) void connection.endAfterAnswers();
    await Promise.all(this.#runs);
  }

  /** Accepts no new connection; those that are open go on. */
  stopAccepting(): void {
    for (const acceptor of this.#acceptors) acceptor.close();
  }

  /** Ends everything at once. Idempotent. */
  async close(): Promise<void> {
    this.stopAccepting();
    for (const acceptor of this.#acceptors) acceptor.end();
    for (const connection of this.#open) connection.kill();
    await Promise.all(this.#runs);
    await Promise.all(this.#acceptors.map((acceptor) => acceptor.closed));
    await this.#server.close();
  }

  async #listenOn(address: PeerAddress): Promise<Acceptor> {
    try {
      return await this.#listen(address);
    } catch (error) {
      throw new ListenError(address, error);
    }
  }

  #listen(address: PeerAddress): Acceptor | Promise<Acceptor> {
    const accept = (stream: ByteStream, peer: PeerAddress) => this.#accept(stream, peer);
    const { tls, onAcceptError, maxConnections, handshakeTimeoutMs } = this.#options;
    if (tls === undefined) return listenTcp(address, { accept, onAcceptError });
    return listenTls(address, {
      ...{ accept, onAcceptError, tls, maxConnections },
      ...handshakeTimeoutMs === undefined ? {} : { handshakeTimeoutMs },
    });
  }

  #accept(stream: ByteStream, peer: PeerAddress): void {
    if (this.#open.size >= this.#options.maxConnections) {
      void this.#refuse(stream);
      return;
    }
    const connection = new EdgeConnection(stream, { ...this.#connectionOptions, peer });
    this.#open.add(connection);
    const run = connection.run().finally(() => {
      this.#open.delete(connection);
      this.#runs.delete(run);
    });
    this.#runs.add(run);
  }

  async #refuse(stream: ByteStream): Promise<void> {
    const message = "too many connections";
    await stream.write(this.#options.renderRefusal({ code: "connection_limit_reached", message }));
    await stream.closeWrite();
    stream.kill();
  }
}
