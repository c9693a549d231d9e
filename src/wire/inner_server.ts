/**
 * The HTTP server in this process, which serves what comes through the edge and nothing else.
 *
 * It listens on a Unix socket in the private folder of this process, which costs half of what a hop over
 * loopback does, or on loopback where there are none. Either way each connection of the edge has a secret
 * mark, which the edge puts into the heads of its requests; a request without one is refused.
 *
 * @module
 */

import type { EdgeConnection, NearConnection } from "./edge_connection.ts";
import { Semaphore } from "./semaphore.ts";
import { DenoStream } from "./stream.ts";

/** What the server serves and where. */
export interface InnerServerOptions {
  /** The path of a Unix socket to listen on. @default {undefined} a port of 127.0.0.1 */
  readonly socketPath?: string | undefined;
  /** Answers a request that came through `connection`. Must not reject. */
  readonly handler: (request: Request, connection: EdgeConnection) => Response | Promise<Response>;
  /** Told when the server had to be started anew. */
  readonly onError: (error: unknown) => void;
}

/** The header that names an edge connection. A client's own is taken out of its requests. */
export const MARK_HEADER = "x-edge-connection";

const ADDRESS = "127.0.0.1";
/** After the server has failed, the next one starts so much later. */
const RESTART_MS = 50;
/** The kernel queues 1,024 connections on a Unix socket and refuses the next at once. */
const MAX_UNANSWERED = 512;

/** A connection of the edge, and what it holds until the server has taken its first request. */
interface Registered {
  readonly connection: EdgeConnection;
  readonly permit: Disposable;
}

/** See the module. */
export class InnerServer {
  readonly #options: InnerServerOptions;
  readonly #registered = new Map<string, Registered>();
  readonly #unanswered = new Semaphore(MAX_UNANSWERED);
  #closing = false;
  #restart: ReturnType<typeof setTimeout> | undefined;
  #server: Deno.HttpServer;

  constructor(options: InnerServerOptions) {
    this.#options = options;
    this.#server = this.#serve();
  }

  /** Connects for an edge connection. Waits only while very many others connect. */
  async connect(connection: EdgeConnection): Promise<NearConnection> {
    const permit = await this.#unanswered.acquire();
    try {
      const stream = new DenoStream(await this.#dial());
      const mark = crypto.randomUUID();
      this.#registered.set(mark, { connection, permit });
      const release = () => {
        this.#registered.delete(mark);
        permit[Symbol.dispose]();
      };
      return { stream, mark: [[MARK_HEADER, mark]], release };
    } catch (error) {
      permit[Symbol.dispose]();
      throw error;
    }
  }

  /** Stops, when what it serves has ended. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    await this.#server.shutdown();
  }

  #serve(): Deno.HttpServer {
    const { socketPath } = this.#options;
    const handler = (request: Request, info: Deno.ServeHandlerInfo) => this.#handle(request, info);
    const server = socketPath === undefined
      ? Deno.serve({ hostname: ADDRESS, port: 0, onListen: () => {}, handler })
      : Deno.serve({ path: socketPath, onListen: () => {}, handler });
    server.finished.catch((error) => this.#restartAfter(error));
    return server;
  }

  /** Starts the server anew when it has failed, as it does when there are no descriptors. */
  #restartAfter(error: unknown): void {
    if (this.#closing) return;
    this.#options.onError(error);
    this.#restart = setTimeout(() => {
      try {
        removeSocket(this.#options.socketPath);
        this.#server = this.#serve();
      } catch (error) {
        this.#restartAfter(error);
      }
    }, RESTART_MS);
  }

  async #dial(): Promise<Deno.Conn> {
    const { addr } = this.#server;
    const { socketPath: path } = this.#options;
    if (path !== undefined) return await Deno.connect({ transport: "unix", path });
    const conn = await Deno.connect({ hostname: ADDRESS, port: (addr as Deno.NetAddr).port });
    conn.setNoDelay(true);
    return conn;
  }

  async #handle(request: Request, info: Deno.ServeHandlerInfo): Promise<Response> {
    const registered = this.#registered.get(request.headers.get(MARK_HEADER) ?? "");
    if (registered === undefined) return new Response(null, { status: 403 });
    const { connection, permit } = registered;
    permit[Symbol.dispose]();
    const completed = () => connection.requestCompleted();
    info.completed.then(completed, completed);
    return await this.#options.handler(request, connection);
  }
}

/** Removes what a server that has failed may have left, or the next one could not listen there. */
function removeSocket(path: string | undefined): void {
  if (path === undefined) return;
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
