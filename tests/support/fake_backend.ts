/**
 * A scripted backend: each connection is handed to the test, before or after its handshake.
 *
 * @module
 */

import { acceptFor, RawPeer } from "./raw_peer.ts";

/** A backend that accepts connections and does nothing by itself. */
export class FakeBackend implements AsyncDisposable {
  readonly #listener: Deno.Listener<Deno.Conn>;
  readonly #peers = new Set<RawPeer>();
  readonly #arrived: BackendConnection[] = [];
  readonly #waiting: ((connection: BackendConnection) => void)[] = [];
  readonly #accepting: Promise<void>;
  #count = 0;
  readonly #scheme: "ws" | "wss";

  private constructor(listener: Deno.Listener<Deno.Conn>, scheme: "ws" | "wss") {
    this.#listener = listener;
    this.#scheme = scheme;
    this.#accepting = this.#accept();
  }

  /** Listens on a free port; with `tls`, for TLS. */
  static listen(tls?: { readonly cert: string; readonly key: string }): FakeBackend {
    const address = { hostname: "127.0.0.1", port: 0 };
    return tls === undefined
      ? new FakeBackend(Deno.listen(address), "ws")
      : new FakeBackend(Deno.listenTls({ ...address, ...tls }), "wss");
  }

  get port(): number {
    return (this.#listener.addr as Deno.NetAddr).port;
  }

  /** Its base URL, without a path. */
  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  /** Connections accepted so far. */
  get connectionCount(): number {
    return this.#count;
  }

  /** The next connection, before it is read from. */
  nextConnection(): Promise<BackendConnection> {
    const arrived = this.#arrived.shift();
    if (arrived !== undefined) return Promise.resolve(arrived);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The next connection, with its handshake done. */
  async nextSession(): Promise<RawPeer> {
    const connection = await this.nextConnection();
    await connection.accept();
    return connection.peer;
  }

  async #accept(): Promise<void> {
    for (;;) {
      let conn: Deno.Conn;
      try {
        conn = await this.#listener.accept();
      } catch (error) {
        if (error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted) {
          return;
        }
        continue;
      }
      this.#count++;
      if ("setNoDelay" in conn) (conn as Deno.TcpConn).setNoDelay(true);
      const peer = new RawPeer(conn, { masks: false });
      this.#peers.add(peer);
      const connection = new BackendConnection(peer);
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#arrived.push(connection);
      else waiting(connection);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const peer of this.#peers) peer[Symbol.dispose]();
    await this.#accepting;
  }
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
