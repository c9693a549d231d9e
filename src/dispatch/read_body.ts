/**
 * The body of a request, whole, within a limit (spec §11).
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import { ByteBuffer } from "./byte_buffer.ts";

/** The most bytes of a request's body: 32 MiB. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** How far a body is read. */
export interface ReadBodyOptions {
  /** @default {MAX_BODY_BYTES} */
  readonly maxBytes?: number;
  /** Ends the reading. */
  readonly signal: AbortSignal;
  /** Told by how much the memory of the body is about to grow; may throw. @default {undefined} nobody asks */
  readonly onGrowth?: ((bytes: number) => void) | undefined;
  /** Given every piece before it is kept. @default {undefined} nobody asks */
  readonly onPiece?: ((piece: Uint8Array) => void) | undefined;
}

/**
 * Reads a body. One whose `Content-Length` is over the limit is not read at all, one without is counted.
 *
 * @throws {RouterError} `request_too_large`; `request_timeout` when the signal ended the reading;
 * `invalid_request` when the body broke off.
 */
export async function readBody(
  request: Request,
  options: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes = MAX_BODY_BYTES, signal, onGrowth, onPiece } = options;
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const buffer = new ByteBuffer();
  if (request.body === null) return buffer.bytes;
  const reader = request.body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop);
  try {
    for (;;) {
      const { done, value } = signal.aborted ? ENDED : await reader.read();
      if (signal.aborted) throw new RouterError("request_timeout", "The request took too long");
      if (done) return buffer.bytes;
      if (buffer.length + value.length > maxBytes) throw tooLarge(maxBytes);
      const growth = buffer.growthFor(value.length);
      if (growth > 0) onGrowth?.(growth);
      onPiece?.(value);
      buffer.append(value);
    }
  } catch (error) {
    stop();
    if (error instanceof RouterError) throw error;
    throw new RouterError("invalid_request", "The request's body broke off", { cause: error });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const ENDED = { done: true, value: undefined } as const;

function tooLarge(maxBytes: number): RouterError {
  return new RouterError(
    "request_too_large",
    `The request's body is larger than ${Math.floor(maxBytes / (1024 * 1024))} MiB`,
  );
}
