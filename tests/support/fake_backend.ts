/**
 * A scripted backend: each connection is handed to the test, before or after its handshake.
 *
 * @module
 */

import { listenNode } from "./node_conn.ts";
import { acceptFor, type RawConn, RawPeer } from "./raw_peer.ts";

/** How a {@link FakeBackend} listens. */
export interface FakeBackendOptions {
  /** @default {0} a free one */
  readonly port?: number;
  /** Listens for TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Whether its peers can send a RST. @default {false} */
  readonly resettable?: boolean;
}

interface Listening {
  readonly port: number;
  close(): void | Promise<void>;
}

/** A backend that accepts connections and does nothing by itself. */
export class FakeBackend implements AsyncDisposable {
  /** Its base URL, without a path. */
  readonly url: string;
  readonly port: number;
  readonly #listening: Listening;
  readonly #peers: Set<RawPeer>;
  readonly #inbox: Inbox;

  private constructor(
    listening: Listening,
    parts: { readonly scheme: "ws" | "wss"; readonly peers: Set<RawPeer>; readonly inbox: Inbox },
  ) {
    this.#listening = listening;
    this.port = listening.port;
    this.url = `${parts.scheme}://127.0.0.1:${listening.port}`;
    this.#peers = parts.peers;
    this.#inbox = parts.inbox;
  }

  /** Listens. */
  static async listen(options: FakeBackendOptions = {}): Promise<FakeBackend> {
    const peers = new Set<RawPeer>();
    const inbox = new Inbox();
    const take = (conn: RawConn) => {
      const peer = new RawPeer(conn, { masks: false });
      peers.add(peer);
      inbox.put(new BackendConnection(peer));
    };
    const listening = options.resettable
      ? await listenNode(take, options)
      : listenDeno(options, take);
    const scheme = options.tls === undefined ? "ws" : "wss";
    return new FakeBackend(listening, { scheme, peers, inbox });
  }

  /** Connections accepted so far. */
  get connectionCount(): number {
    return this.#peers.size;
  }

  /** The next connection, before it is read from. */
  nextConnection(): Promise<BackendConnection> {
    return this.#inbox.take();
  }

  /** The next connection, with its handshake done. */
  async nextSession(): Promise<RawPeer> {
    const connection = await this.nextConnection();
    await connection.accept();
    return connection.peer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const peer of this.#peers) peer[Symbol.dispose]();
    await this.#listening.close();
    for (const peer of this.#peers) await peer.conn.closed;
  }
}

class Inbox {
  readonly #arrived: BackendConnection[] = [];
  readonly #waiting: ((connection: BackendConnection) => void)[] = [];

  put(connection: BackendConnection): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#arrived.push(connection);
    else waiting(connection);
  }

  take(): Promise<BackendConnection> {
    const arrived = this.#arrived.shift();
    if (arrived !== undefined) return Promise.resolve(arrived);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function listenDeno(options: FakeBackendOptions, take: (conn: RawConn) => void): Listening {
  const address = { hostname: "127.0.0.1", port: options.port ?? 0 };
  const listener: Deno.Listener<Deno.Conn, Deno.NetAddr> = options.tls === undefined
    ? Deno.listen(address)
    : Deno.listenTls({ ...address, ...options.tls });
  const accepting = (async () => {
    for (;;) {
      try {
        const conn = await listener.accept();
        if ("setNoDelay" in conn) (conn as Deno.TcpConn).setNoDelay(true);
        take(conn);
      } catch (error) {
        if (error instanceof Deno.errors.BadResource) return;
        if (error instanceof Deno.errors.Interrupted) return;
      }
    }
  })();
  return {
    port: listener.addr.port,
    close: async () => {
      listener.close();
      await accepting;
    },
  };
}

/** One connection of a {@link FakeBackend}. */
export class BackendConnection {
  readonly peer: RawPeer;
  #head: string | undefined;

  constructor(peer: RawPeer) {
    this.peer = peer;
  }

  /** The request's head, as it came. */
  async readRequest(): Promise<string> {
    this.#head ??= await this.peer.readHead() ?? "";
    return this.#head;
  }

  /** The bytes of a correct 101 for the request. */
  async acceptance(): Promise<string> {
    const head = await this.readRequest();
    const key = /sec-websocket-key: *(\S+)/i.exec(head)?.[1] ?? "";
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${acceptFor(key)}\r\n\r\n`;
  }

  /** Does the handshake. */
  async accept(): Promise<void> {
    await this.peer.write(await this.acceptance());
  }
}
