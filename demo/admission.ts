/**
 * What a backend does with a client that asks for a session.
 *
 * @module
 */

import { plainError } from "./error_detail.ts";
import type { ErrorDetail } from "./events.ts";
import type { Exit } from "./transport.ts";

/** A connection that is accepted with 101 only to be told why it cannot stay. */
export interface Farewell {
  readonly error: ErrorDetail;
  readonly exit: Exit;
}

/** Either a session, or a farewell after the 101, or an HTTP answer in its place. */
export type Admission =
  | { readonly kind: "session"; readonly model: string }
  | { readonly kind: "farewell"; readonly farewell: Farewell }
  | {
    readonly kind: "refusal";
    readonly status: number;
    /** Null for an empty body. */
    readonly error: { readonly code: string; readonly message: string } | null;
  };

/** An error event and a Close frame. */
export function closingFarewell(
  error: { readonly code: string; readonly message: string },
  closeCode: number,
): Farewell {
  const { code, message } = error;
  return {
    error: plainError(code, message),
    exit: { kind: "close", code: closeCode, reason: message },
  };
}

/** Lets everybody in, whatever model they ask for. */
export function admitAnyModel(asked: readonly string[]): Admission {
  return { kind: "session", model: asked[0] ?? "" };
}
