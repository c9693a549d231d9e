/**
 * Why a backend connection failed.
 *
 * @module
 */

/** The step at which it failed. A closed set: it may be a label or a log field. */
export type DialFailureKind =
  | "dns"
  | "refused"
  | "unreachable"
  | "tls"
  | "status"
  | "handshake"
  | "aborted";

/** A failed connection. `message` is for the log: it may name the backend's host. */
export class DialFailure extends Error {
  override readonly name = "DialFailure";
  readonly kind: DialFailureKind;
  /** The HTTP status of a refusal, with kind `status`. */
  readonly status: number | undefined;

  constructor(
    kind: DialFailureKind,
    message: string,
    options: { readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
  }
}

/** What went wrong with a TCP connection, told by what the runtime throws. */
export function connectFailure(error: unknown): DialFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (/lookup|resolve|dns/i.test(message)) {
    return new DialFailure("dns", "the host name cannot be resolved", { cause: error });
  }
  if (error instanceof Deno.errors.ConnectionRefused) {
    return new DialFailure("refused", "connection refused", { cause: error });
  }
  return new DialFailure("unreachable", message, { cause: error });
}
