/**
 * A byte stream whose socket belongs to us: it can be read into a buffer of our choice, written
 * completely, half-closed, and ended at once whatever its peer does.
 *
 * @module
 */

/** How a stream stopped giving bytes. `killed` means that we ended it ourselves. */
export type StreamEnd = "fin" | "rst" | "killed";

/** The address of a peer, as the socket knows it. */
export interface PeerAddress {
  readonly hostname: string;
  readonly port: number;
}

/** One connection, plain or TLS. At most one `read` and one `write` may be under way at a time. */
export interface ByteStream {
  /** Fills `buffer` from its start. Resolves to the number of bytes read, or to how the stream ended. */
  read(buffer: Uint8Array): Promise<number | StreamEnd>;
  /** Writes all of `bytes`. Resolves to false, and never rejects, when the peer can take no more. */
  write(bytes: Uint8Array): Promise<boolean>;
  /** Sends a FIN after what was written; reading goes on. Never rejects. */
  closeWrite(): Promise<void>;
  /** Ends the connection at once and frees its descriptor, without waiting for anything. Idempotent. */
  kill(): void;
}

/** A {@link ByteStream} over a `Deno.Conn`. */
export class DenoStream implements ByteStream {
  readonly #conn: Deno.Conn;
  readonly #options: DenoStreamOptions;
  #killed = false;

  /** @param conn The connection, which from now on belongs to the stream. */
  constructor(conn: Deno.Conn, options: DenoStreamOptions = {}) {
    this.#conn = conn;
    this.#options = options;
  }

  // No async functions: every session waits in several reads, and what each of them keeps alive is
  // copied whenever the collector looks at the young.
  read(buffer: Uint8Array): Promise<number | StreamEnd> {
    return this.#conn.read(buffer).then(this.#onRead, this.#onReadError);
  }

  write(bytes: Uint8Array): Promise<boolean> {
    return this.#conn.write(bytes).then(
      (count) => count === bytes.length || this.write(bytes.subarray(count)),
      () => false,
    );
  }

  async closeWrite(): Promise<void> {
    try {
      await this.#conn.closeWrite();
    } catch {
      // The peer is gone already, which is what a half-close would have told it.
    }
  }

  kill(): void {
    if (this.#killed) return;
    this.#killed = true;
    this.#options.onKill?.();
    try {
      this.#conn.close();
    } catch {
      // Closed already.
    }
  }

  readonly #onRead = (count: number | null): number | StreamEnd => count ?? this.#endOf("fin");

  readonly #onReadError = (error: unknown): StreamEnd =>
    this.#killed ? "killed" : this.#endOf(classifyStreamError(error));

  #endOf(end: StreamEnd): StreamEnd {
    return this.#options.wasReset?.() ? "rst" : end;
  }
}

/** What a {@link DenoStream} needs to know of the sockets below it. */
export interface DenoStreamOptions {
  /** Runs before the connection is closed: TLS leaves its descriptor open unless what is below is cut first. */
  readonly onKill?: () => void;
  /** Whether a socket below was reset, which TLS shows as an orderly end. */
  readonly wasReset?: () => boolean;
}

/** Tells a reset from an orderly end. TLS without close_notify is an orderly end of a careless peer. */
export function classifyStreamError(error: unknown): StreamEnd {
  if (error instanceof Deno.errors.UnexpectedEof) return "fin";
  if (error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted) {
    return "killed";
  }
  return "rst";
}
