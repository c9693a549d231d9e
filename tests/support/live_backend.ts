/**
 * A backend that lives by itself: it answers sessions with its name and probes with a status, and can be
 * stopped and started again on the same port.
 *
 * @module
 */

import { type BackendConnection, FakeBackend } from "./fake_backend.ts";

/** See the module. */
export class LiveBackend implements AsyncDisposable {
  /** What its sessions are told at once. */
  readonly name: string;
  /** What requests that are no upgrades are answered with, each on a connection of its own. */
  probeStatus = 200;
  /** What it lists at `/v1/models`. */
  models: readonly string[] = [];
  /** The heads of the upgrades that came, and of the other requests. */
  readonly upgrades: string[] = [];
  readonly probes: string[] = [];
  #fake: FakeBackend;
  #listens = true;

  private constructor(name: string, fake: FakeBackend) {
    this.name = name;
    this.#fake = fake;
    void this.#serve(fake);
  }

  /** Listens on a free port. */
  static async start(name: string): Promise<LiveBackend> {
    return new LiveBackend(name, await FakeBackend.listen());
  }

  /** Its base URL, without a path. */
  get url(): string {
    return this.#fake.url;
  }

  /** Connections accepted since it was started last. */
  get connectionCount(): number {
    return this.#fake.connectionCount;
  }

  /** Ends all connections and refuses new ones. */
  async stop(): Promise<void> {
    if (!this.#listens) return;
    this.#listens = false;
    await this.#fake[Symbol.asyncDispose]();
  }

  /** Listens again where it did. */
  async restart(): Promise<void> {
    this.#fake = await FakeBackend.listen({ port: this.#fake.port });
    this.#listens = true;
    void this.#serve(this.#fake);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #serve(fake: FakeBackend): Promise<void> {
    for (;;) {
      const connection = await fake.nextConnection();
      // A peer that has left is no concern of a backend.
      void this.#answer(connection).catch(() => connection.peer[Symbol.dispose]());
    }
  }

  async #answer(connection: BackendConnection): Promise<void> {
    const head = await connection.readRequest();
    const { peer } = connection;
    if (/^upgrade: websocket\r$/im.test(head)) {
      this.upgrades.push(head);
      await connection.accept();
      await peer.sendText(this.name);
      const close = await peer.readClose();
      // A server is the side that ends the connection then (RFC 6455 §7.1.1).
      if (close !== null) await peer.sendClose(close.code ?? undefined);
    } else if (head !== "") {
      this.probes.push(head);
      await peer.write(this.#response());
      await peer.readRest();
    }
    peer[Symbol.dispose]();
  }

  #response(): string {
    const body = JSON.stringify({ data: this.models.map((id) => ({ id })) });
    return `HTTP/1.1 ${this.probeStatus} Whatever\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
  }
}
