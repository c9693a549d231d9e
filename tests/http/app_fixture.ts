/** An application of a few routes and a record of what it told its observer, for the tests of this room. */

import { RouterError } from "../../src/http/mod.ts";
import { type App, createApp, type Route } from "../../src/http/mod.ts";
import { EdgeConnection } from "../../src/wire/mod.ts";
import { memoryPair, type MemoryStream } from "../support/memory_stream.ts";

/** A connection that no request needs more of than that it is there. */
export function idleConnection(far = memoryPair()[0]): EdgeConnection {
  return new EdgeConnection(far, {
    peer: { hostname: "192.0.2.1", port: 4711 },
    connectNear: () => Promise.reject(new Error("no server")),
    renderRefusal: () => new Uint8Array(0),
    maxMessageBytes: 1,
    now: () => 0,
    headTimeoutMs: 1,
    keepAliveMs: 1,
    stallTimeoutMs: 1,
  });
}

/** See the module. */
export class AppFixture {
  /** What the client holds of the connection. */
  readonly client: MemoryStream;
  readonly connection: EdgeConnection;
  readonly answered: unknown[] = [];
  readonly failed: [error: RouterError, requestId: string][] = [];
  nowMs = 1_000;
  readonly #app: App;

  /** @param options `host`: the only one that is served; all are without it. */
  constructor(routes: readonly Route[], options: { readonly host?: string } = {}) {
    const [far, client] = memoryPair();
    this.client = client;
    this.connection = idleConnection(far);
    this.#app = createApp({
      routes,
      checkHost: (host) =>
        options.host === undefined || host === options.host
          ? null
          : new RouterError("host_not_allowed", "This router does not serve that host"),
      observer: {
        answered: (endpoint, answer) => this.answered.push({ endpoint, ...answer }),
        failed: (error, requestId) => this.failed.push([error, requestId]),
      },
      now: () => this.nowMs,
    });
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return await this.#app(new Request(`http://router.test${path}`, init), this.connection);
  }

  /** The status and the error body of an answer. */
  async refusal(path: string, init: RequestInit = {}): Promise<[status: number, body: unknown]> {
    const response = await this.fetch(path, init);
    return [response.status, await response.json()];
  }
}

/** What an id that the router makes looks like. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
