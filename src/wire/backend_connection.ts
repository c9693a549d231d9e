/**
 * A TCP or TLS connection to a backend.
 *
 * @module
 */

import type { DialTarget } from "./backend_handshake.ts";
import { connectFailure, DialFailure } from "./dial_failure.ts";
import { type ByteStream, DenoStream } from "./stream.ts";
import type { Hop, HopListener } from "./tls_hop.ts";

/**
 * Connects, with TCP_NODELAY and, for TLS, the operating system's trust store: never more than once.
 *
 * @throws {DialFailure} Of kind `dns`, `refused`, `unreachable`, `tls` or, when `signal` fires, `aborted`.
 */
export async function connectBackend(
  target: DialTarget,
  options: {
    readonly hops: HopListener;
    readonly signal: AbortSignal;
    /** PEM certificates trusted besides the system's. */
    readonly caCerts: readonly string[];
  },
): Promise<ByteStream> {
  const { hostname, port } = target;
  const { signal, caCerts } = options;
  let tcp: Deno.TcpConn;
  try {
    signal.throwIfAborted();
    tcp = await Deno.connect({ hostname, port, signal });
  } catch (error) {
    throw signal.aborted ? new DialFailure("aborted", "given up") : connectFailure(error);
  }
  const plain = new DenoStream(tcp);
  try {
    tcp.setNoDelay(true);
    if (!target.secure) return plain;
    return await startTls(await options.hops.join(tcp), { hostname, signal, caCerts });
  } catch (error) {
    plain.kill();
    throw error instanceof DialFailure ? error : connectFailure(error);
  }
}

/** Of a name that no certificate can have, the connection is not taken: then it is closed here. */
async function beginTls(
  conn: Deno.TcpConn,
  { hostname, caCerts }: { readonly hostname: string; readonly caCerts: readonly string[] },
): Promise<Deno.TlsConn> {
  try {
    return await Deno.startTls(conn, {
      hostname,
      caCerts: [...caCerts],
      alpnProtocols: ["http/1.1"],
    });
  } catch (error) {
    try {
      conn.close();
    } catch {
      // It was taken.
    }
    throw error;
  }
}

async function startTls(
  hop: Hop,
  options: {
    readonly hostname: string;
    readonly signal: AbortSignal;
    readonly caCerts: readonly string[];
  },
): Promise<ByteStream> {
  const { hostname, signal, caCerts } = options;
  signal.addEventListener("abort", hop.cut);
  try {
    if (signal.aborted) hop.cut();
    const tls = await beginTls(hop.conn, { hostname, caCerts });
    const stream = new DenoStream(tls, { onKill: hop.cut, wasReset: hop.wasReset });
    try {
      await tls.handshake();
    } catch (error) {
      stream.kill();
      throw error;
    }
    return stream;
  } catch (error) {
    hop.cut();
    if (signal.aborted) throw new DialFailure("aborted", "given up");
    const message = error instanceof Error ? error.message : String(error);
    throw new DialFailure("tls", message, { cause: error });
  } finally {
    signal.removeEventListener("abort", hop.cut);
  }
}
