/**
 * Backend connections for the native WebSocket client.
 *
 * The native client gives no hand on its socket, so it is pointed at a proxy which is ourselves: it
 * opens `ws://192.0.2.1:1/<ticket>` through a Unix socket of this process. The ticket, good for one
 * connection, says where to go; we connect there, do the handshake, and pump.
 *
 * @module
 */

import { setTimeout as wait } from "node:timers/promises";
import { connectBackend } from "./backend_connection.ts";
import {
  checkHandshakeAnswer,
  type DialTarget,
  handshakeRequest,
  switchingProtocols,
} from "./backend_handshake.ts";
import { DialFailure } from "./dial_failure.ts";
import { findHeadEnd } from "./request_head.ts";
import { readResponseHead } from "./response_head.ts";
import { listenInRuntimeDir, type RuntimeFolder } from "./runtime_dir.ts";
import { Semaphore } from "./semaphore.ts";
import { type ByteStream, DenoStream } from "./stream.ts";
import { HopListener } from "./tls_hop.ts";
import { WireLeg } from "./wire_leg.ts";

/** How the native client reaches the dialer. `tcp` costs 44 ms a frame and is for systems without Unix proxies. */
export type DialerTransport = "unix" | "tcp";

/** What a {@link Dialer} is made with. */
export interface DialerOptions {
  /** Folder for the socket (`server.runtime_dir`); unused by `tcp`. */
  readonly runtimeDir: string;
  readonly transport: DialerTransport;
  /** The most bytes of one message from a backend (spec §6 "Size"). */
  readonly maxMessageBytes: number;
  /** PEM certificates trusted besides the operating system's. @default {[]} */
  readonly caCerts?: readonly string[];
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** After a failed accept (out of descriptors, most likely) the next try waits so long. */
const ACCEPT_RETRY_MS = 50;

/** A connection to a backend that is being made, or was. */
export interface Dial {
  /** The endpoint. Fires `open` after the backend's 101, `error` when that does not come. */
  readonly socket: WebSocket;
  readonly leg: WireLeg;
  /** Why there is no connection; set before the socket's `error`. */
  readonly failure: DialFailure | undefined;
  /** Gives up, or ends the connection at once. Idempotent. */
  abort(): void;
}

interface Ticket {
  readonly target: DialTarget;
  readonly leg: WireLeg;
  readonly signal: AbortSignal;
  /** Of {@link MAX_UNCLAIMED}, until the native client has come for it. */
  readonly permit: Disposable;
  failure: DialFailure | undefined;
}

/** The kernel queues 1,024 connections on a Unix socket and refuses the next at once. */
const MAX_UNCLAIMED = 512;
const MAX_TICKET_HEAD_BYTES = 4096;
const TICKET_TIMEOUT_MS = 5_000;
/**
 * Nobody is there (RFC 5737): the proxy takes it all. With an IP address the client asks no resolver, and
 * one that no `NO_PROXY` names, as it might name loopback, is never asked without the proxy.
 */
export const PLACEHOLDER = "192.0.2.1:1";
const TICKET_LINE = /^GET http:\/\/192\.0\.2\.1:1\/([0-9a-f-]{36}) HTTP\/1\.1\r\n/;
const KEY_LINE = /\r\nsec-websocket-key: *([A-Za-z0-9+/=]{24})\r\n/i;

/** See the module. */
export class Dialer {
  readonly #listener: Deno.UnixListener | Deno.TcpListener;
  readonly #folder: RuntimeFolder | undefined;
  readonly #client: Deno.HttpClient;
  readonly #options: DialerOptions;
  readonly #hops = new HopListener();
  readonly #tickets = new Map<string, Ticket>();
  readonly #unclaimed = new Semaphore(MAX_UNCLAIMED);
  readonly #accepting: Promise<void>;

  private constructor(
    options: DialerOptions,
    bound: {
      readonly listener: Deno.UnixListener | Deno.TcpListener;
      readonly proxy: Deno.Proxy;
      readonly folder?: RuntimeFolder;
    },
  ) {
    this.#options = options;
    this.#listener = bound.listener;
    this.#folder = bound.folder;
    this.#client = Deno.createHttpClient({ proxy: bound.proxy });
    this.#accepting = this.#accept();
  }

  /** @throws {RuntimeDirError} When the runtime directory cannot be trusted or used. */
  static async start(options: DialerOptions): Promise<Dialer> {
    if (options.transport === "tcp") {
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const { hostname, port } = listener.addr;
      return new Dialer(options, { listener, proxy: { transport: "tcp", hostname, port } });
    }
    const { folder, listener } = await listenInRuntimeDir(options.runtimeDir);
    const proxy = { transport: "unix", path: folder.socketPath } as const;
    return new Dialer(options, { listener, proxy, folder });
  }

  /** Connections that the native client has not made yet. Zero at rest. */
  get openTickets(): number {
    return this.#tickets.size;
  }

  /** The private folder of this process; undefined where there are no Unix sockets. */
  get folder(): RuntimeFolder | undefined {
    return this.#folder;
  }

  /** Starts a connection. Waits only while very many others start. */
  async dial(target: DialTarget): Promise<Dial> {
    const controller = new AbortController();
    const leg = new WireLeg({
      peer: "backend",
      maxMessageBytes: this.#options.maxMessageBytes,
      now: this.#options.now,
    });
    const permit = await this.#unclaimed.acquire();
    const ticket: Ticket = { target, leg, signal: controller.signal, permit, failure: undefined };
    const id = crypto.randomUUID();
    this.#tickets.set(id, ticket);
    const socket = new WebSocket(`ws://${PLACEHOLDER}/${id}`, { client: this.#client });
    const settled = () => {
      this.#tickets.delete(id);
      permit[Symbol.dispose]();
    };
    socket.addEventListener("open", settled, { once: true });
    socket.addEventListener("error", settled, { once: true });
    socket.addEventListener("close", settled, { once: true });
    return {
      socket,
      leg,
      get failure() {
        return ticket.failure;
      },
      abort: () => {
        controller.abort();
        leg.kill();
      },
    };
  }

  /** Ends the listener. Connections that are made go on; they belong to their sessions. */
  async close(): Promise<void> {
    this.#listener.close();
    this.#client.close();
    this.#hops[Symbol.dispose]();
    await this.#accepting;
    await this.#folder?.remove();
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
        // Out of descriptors, and out of them still when it is asked again at once.
        await wait(ACCEPT_RETRY_MS);
        continue;
      }
      void this.#serve(new DenoStream(conn));
    }
  }

  async #serve(near: ByteStream): Promise<void> {
    const request = await this.#readRequest(near);
    if (request === undefined) return near.kill();
    const { ticket, key } = request;
    const { target, leg, signal } = ticket;
    using undo = new DisposableStack();
    const killNear = () => near.kill();
    signal.addEventListener("abort", killNear);
    undo.defer(() => signal.removeEventListener("abort", killNear));
    let far: ByteStream | undefined;
    try {
      far = await connectBackend(target, {
        hops: this.#hops,
        signal,
        caCerts: this.#options.caCerts ?? [],
      });
      const stream = far;
      const killFar = () => stream.kill();
      signal.addEventListener("abort", killFar);
      undo.defer(() => signal.removeEventListener("abort", killFar));
      const farBytes = await handshake(far, { target, key });
      await near.write(switchingProtocols(key));
      leg.attach({ far, near, farBytes });
    } catch (error) {
      ticket.failure = signal.aborted ? new DialFailure("aborted", "given up") : asFailure(error);
      far?.kill();
      near.kill();
      leg.kill();
    }
  }

  async #readRequest(
    near: ByteStream,
  ): Promise<{ readonly ticket: Ticket; readonly key: string } | undefined> {
    const timer = setTimeout(() => near.kill(), TICKET_TIMEOUT_MS);
    const head = await readHead(near);
    clearTimeout(timer);
    if (head === undefined) return undefined;
    const id = TICKET_LINE.exec(head)?.[1];
    const key = KEY_LINE.exec(head)?.[1];
    if (id === undefined || key === undefined) return undefined;
    const ticket = this.#tickets.get(id);
    this.#tickets.delete(id);
    ticket?.permit[Symbol.dispose]();
    return ticket === undefined ? undefined : { ticket, key };
  }
}

/** The native client's request head; undefined when it does not come. */
async function readHead(near: ByteStream): Promise<string | undefined> {
  const bytes = new Uint8Array(MAX_TICKET_HEAD_BYTES);
  for (let length = 0; length < bytes.length;) {
    const read = await near.read(bytes.subarray(length));
    if (typeof read !== "number") return undefined;
    length += read;
    const end = findHeadEnd(bytes, { from: 0, length });
    if (typeof end === "number") return new TextDecoder("latin1").decode(bytes.subarray(0, end));
  }
  return undefined;
}

/** Shakes hands. Resolves to what the backend sent behind its 101. */
async function handshake(
  far: ByteStream,
  request: { readonly target: DialTarget; readonly key: string },
): Promise<Uint8Array> {
  await far.write(handshakeRequest(request.target, request.key));
  const answer = await readResponseHead(far);
  if ("fault" in answer) throw new DialFailure("handshake", answer.fault);
  checkHandshakeAnswer(answer, request.key);
  return answer.bytes.subarray(answer.headBytes);
}

function asFailure(error: unknown): DialFailure {
  if (error instanceof DialFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new DialFailure("handshake", message, { cause: error });
}
