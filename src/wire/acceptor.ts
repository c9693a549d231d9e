/**
 * Listening sockets: plain TCP, and TLS (ALPN `http/1.1`, since HTTP/2 is not offered).
 *
 * @module
 */

import { createSecureContext } from "node:tls";
import { type ByteStream, DenoStream, type PeerAddress } from "./stream.ts";
import { TlsStream } from "./tls_stream.ts";

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
  readonly accept: (stream: ByteStream, peer: PeerAddress) => void | Promise<void>;
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
      void options.accept(new DenoStream(conn), { hostname, port });
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

/** Listens for TLS. @throws {Error} When the address cannot be had or the certificate is not usable. */
export function listenTls(address: PeerAddress, options: TlsAcceptorOptions): Acceptor {
  const { tls, maxConnections, handshakeTimeoutMs: timeoutMs = TLS_HANDSHAKE_TIMEOUT_MS } = options;
  assertUsable(tls);
  const secureContext = createSecureContext({ cert: tls.cert, key: tls.key });
  const open = new Set<ByteStream>();
  const acceptor = listenTcp(address, {
    onAcceptError: options.onAcceptError,
    accept: async (conn, peer) => {
      if (open.size >= maxConnections + REFUSED_AT_A_TIME) return conn.kill();
      const plain = new Watched(conn, () => open.delete(plain));
      open.add(plain);
      const stream = await TlsStream.accept(plain, { secureContext, timeoutMs });
      if (stream !== undefined) void options.accept(stream, peer);
    },
  });
  return {
    ...acceptor,
    end: () => {
      for (const plain of open) plain.kill();
    },
  };
}

/** A stream that tells when it is killed, as every one is in the end. */
class Watched implements ByteStream {
  readonly read: ByteStream["read"];
  readonly write: ByteStream["write"];
  readonly closeWrite: ByteStream["closeWrite"];
  readonly kill: ByteStream["kill"];

  constructor(stream: ByteStream, onKill: () => void) {
    this.read = (buffer) => stream.read(buffer);
    this.write = (bytes) => stream.write(bytes);
    this.closeWrite = () => stream.closeWrite();
    this.kill = () => {
      onKill();
      stream.kill();
    };
  }
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
