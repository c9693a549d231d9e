/**
 * Listening sockets: plain TCP, and TLS (ALPN `http/1.1`, since HTTP/2 is not offered).
 *
 * @module
 */

import type { Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { NodeStream } from "./node_stream.ts";
import { type ByteStream, DenoStream, type PeerAddress } from "./stream.ts";

/** One listening socket. */
export interface Acceptor {
  /** Where it listens, with the real port. */
  readonly address: PeerAddress;
  /** Stops listening. Idempotent. */
  close(): void;
  /** Cuts what is connected and was not handed over yet. */
  end(): void;
  /** Resolves when the socket is closed. */
  readonly closed: Promise<void>;
}

/** What an acceptor does with its connections. */
export interface AcceptorOptions {
  readonly accept: (stream: ByteStream, peer: PeerAddress) => void;
  readonly onAcceptError: (error: unknown) => void;
}

/** What a TLS acceptor needs besides. */
export interface TlsAcceptorOptions extends AcceptorOptions {
  readonly tls: TlsIdentity;
  /**
   * The most connections at a time, those within their handshake included. A few more are let through their
   * handshake, so that they can be told; beyond these one is cut.
   */
  readonly maxConnections: number;
  /** @default {10_000} */
  readonly handshakeTimeoutMs?: number;
}

/** Certificate chain and private key, both PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

const TLS_HANDSHAKE_TIMEOUT_MS = 10_000;
/** So many connections over the limit may be within a handshake or an answer that refuses them. */
const REFUSED_AT_A_TIME = 64;
/** After a failed accept (out of descriptors, most likely) the next try waits so long. */
const ACCEPT_RETRY_MS = 50;

/** Listens for plain TCP. @throws {Deno.errors.AddrInUse} and the like. */
export function listenTcp(address: PeerAddress, options: AcceptorOptions): Acceptor {
  const listener = Deno.listen({ hostname: address.hostname, port: address.port });
  let open = true;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const closed = Promise.withResolvers<void>();
  const next = (): void => {
    listener.accept().then((conn) => {
      next();
      const { hostname, port } = conn.remoteAddr;
      try {
        conn.setNoDelay(true);
      } catch {
        // Some systems refuse that for a connection that is reset already.
        return conn.close();
      }
      options.accept(new DenoStream(conn), { hostname, port });
    }, (error) => {
      if (!open) return closed.resolve();
      options.onAcceptError(error);
      retry = setTimeout(next, ACCEPT_RETRY_MS);
    });
  };
  next();
  return {
    address: { hostname: address.hostname, port: listener.addr.port },
    close: () => {
      if (!open) return;
      open = false;
      if (retry !== undefined) {
        clearTimeout(retry);
        closed.resolve();
      }
      listener.close();
    },
    end: () => {},
    closed: closed.promise,
  };
}

/** Listens for TLS. Rejects when the address cannot be had or the certificate is not usable. */
export async function listenTls(
  address: PeerAddress,
  options: TlsAcceptorOptions,
): Promise<Acceptor> {
  assertUsable(options.tls);
  const server = createServer({
    cert: options.tls.cert,
    key: options.tls.key,
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: options.handshakeTimeoutMs ?? TLS_HANDSHAKE_TIMEOUT_MS,
    pauseOnConnect: false,
    // As over TCP, a client that says it has sent all still gets its answer.
    allowHalfOpen: true,
  });
  server.on("secureConnection", (socket: TLSSocket) => {
    const { remoteAddress, remotePort } = socket;
    const peer = { hostname: remoteAddress ?? "unknown", port: remotePort ?? 0 };
    options.accept(new NodeStream(socket), peer);
  });
  // The server waits for every socket when it closes, also for those that never finish a handshake.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (sockets.size >= options.maxConnections + REFUSED_AT_A_TIME) return socket.destroy();
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  // A client that fails its handshake, or takes too long for it, is cut: the runtime only says so.
  server.on("tlsClientError", (_error, socket: TLSSocket) => socket.destroy());
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(address.port, address.hostname, () => listening.resolve());
  await listening.promise;
  server.off("error", listening.reject);
  server.on("error", options.onAcceptError);
  const bound = server.address();
  const port = bound !== null && typeof bound === "object" ? bound.port : address.port;
  const closed = Promise.withResolvers<void>();
  return {
    address: { hostname: address.hostname, port },
    close: () => {
      server.close(() => closed.resolve());
    },
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
    closed: closed.promise,
  };
}

/**
 * `node:tls` takes any text for a certificate and a key, and then every handshake fails in silence. The
 * runtime's own listener reads them at once, so it is asked first.
 */
function assertUsable({ cert, key }: TlsIdentity): void {
  try {
    Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key }).close();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`server.tls is not usable: ${why}`, { cause: error });
  }
}
