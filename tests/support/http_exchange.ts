/**
 * One HTTP request as a scripted backend gets it, and its answer byte by byte.
 *
 * @module
 */

import type { FakeBackend } from "./fake_backend.ts";
import { payloadSent } from "./log_watch.ts";
import type { RawPeer } from "./raw_peer.ts";

/** See the module. */
export class HttpExchange {
  readonly peer: RawPeer;
  readonly requestLine: string;
  /** Names in lower case, in the order in which they came. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;

  private constructor(peer: RawPeer, request: { readonly head: string; readonly body: string }) {
    const [requestLine = "", ...lines] = request.head.trimEnd().split("\r\n");
    this.peer = peer;
    this.requestLine = requestLine;
    this.headers = new Map(lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }));
    this.body = request.body;
  }

  /** The next request that comes on a connection of its own. */
  static async next(backend: FakeBackend): Promise<HttpExchange> {
    const { peer } = await backend.nextConnection();
    const head = await peer.readHead() ?? "";
    const length = Number(/^content-length: *([0-9]+)/im.exec(head)?.[1] ?? 0);
    const body = new TextDecoder().decode(await peer.readBytes(length) ?? undefined);
    return new HttpExchange(peer, { head, body });
  }

  /** Answers completely, and ends the connection. */
  async respond(
    status: number,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    payloadSent(body);
    const length = new TextEncoder().encode(body).length;
    await this.begin(status, {
      "content-type": "application/json",
      "content-length": String(length),
      ...headers,
    });
    await this.peer.write(body);
    this.hangUp();
  }

  /** Writes a head. */
  async begin(status: number, headers: Readonly<Record<string, string>>): Promise<void> {
    const lines = Object.entries({ ...headers, "connection": "close" })
      .map(([name, value]) => `${name}: ${value}\r\n`);
    await this.peer.write(`HTTP/1.1 ${status} Whatever\r\n${lines.join("")}\r\n`);
  }

  /** Begins an event stream, which lasts until {@link hangUp}. */
  async beginStream(): Promise<void> {
    await this.begin(200, { "content-type": "text/event-stream" });
  }

  /** Writes an event of a stream. */
  async event(data: unknown): Promise<void> {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    await this.peer.write(`data: ${text}\n\n`);
  }

  /** Ends the connection. */
  hangUp(): void {
    this.peer[Symbol.dispose]();
  }

  /** Resolves when the router has ended the connection. */
  async abandoned(): Promise<void> {
    await this.peer.readRest();
    this.hangUp();
  }
}
