/**
 * How a session ended: one value, set once, from which everything else follows.
 *
 * @module
 */

import { type CloseFrame, DialFailure } from "../wire/mod.ts";

/** One of a session's two connections. */
export type Side = "client" | "backend";

/** Why a backend connection did not come about, besides what the dialer says. */
export type ConnectFailure = DialFailure | "timeout";

/** How a leg ended without a close frame. */
export type AbortCause = "fin" | "rst" | "violation" | "killed";

/** The ending of a session. */
export type Ending =
  /** A leg sent a close frame. */
  | { readonly kind: "closed"; readonly by: Side; readonly close: CloseFrame }
  /** A leg ended without one, or broke the protocol or the size limit (`code`). */
  | {
    readonly kind: "aborted";
    readonly by: Side;
    readonly how: AbortCause;
    readonly code: number | null;
  }
  | { readonly kind: "idle" }
  | { readonly kind: "max-duration" }
  | { readonly kind: "connect-failed"; readonly cause: ConnectFailure }
  | { readonly kind: "shutdown" }
  | { readonly kind: "operator" };

/** The `outcome` label of a session (spec §6, §10). */
export type Outcome =
  | "completed"
  | "backend_connect_failed"
  | "idle_timeout"
  | "max_duration"
  | "client_abort"
  | "backend_abort";

/**
 * The outcome of a session.
 *
 * @param ending How it ended.
 * @param options `established`: whether the backend connection had come about. A client that leaves
 * before that aborts, even with a close frame (spec §6 "Outcomes").
 */
export function outcomeOf(ending: Ending, options: { readonly established: boolean }): Outcome {
  switch (ending.kind) {
    case "closed":
      return ending.by === "client" && !options.established ? "client_abort" : "completed";
    case "aborted":
      return ending.by === "client" ? "client_abort" : "backend_abort";
    case "idle":
      return "idle_timeout";
    case "max-duration":
      return "max_duration";
    case "connect-failed":
      return "backend_connect_failed";
    case "shutdown":
    case "operator":
      return "completed";
  }
}

/**
 * The close frame that we owe a leg, or null when the leg itself has ended: then its own endpoint
 * answers, or nobody is there.
 */
export function closeFrameTo(side: Side, ending: Ending): CloseFrame | null {
  switch (ending.kind) {
    case "closed":
      return ending.by === side ? null : ending.close;
    case "aborted":
      return ending.by === side ? null : { code: 1011, reason: `${ending.by} connection lost` };
    case "idle":
      return { code: 1000, reason: "idle timeout" };
    case "max-duration":
      return { code: 1000, reason: "max session duration" };
    case "connect-failed":
      return { code: 1011, reason: "backend connection failed" };
    case "shutdown":
      return { code: 1001, reason: "server shutting down" };
    case "operator":
      return { code: 1001, reason: "closed by operator" };
  }
}

/** The close code that stood, or stands, between us and a leg; null for none. For logs and spans. */
export function closeCodeOf(side: Side, ending: Ending): number | null {
  if (ending.kind === "closed") return ending.close.code;
  if (ending.kind === "aborted" && ending.by === side) return ending.code;
  return closeFrameTo(side, ending)?.code ?? null;
}

/** A word or two on the cause, for logs. Names no content. */
export function describeEnding(ending: Ending): string {
  switch (ending.kind) {
    case "closed":
      return `closed by ${ending.by}`;
    case "aborted":
      return `${ending.by} ${ending.how}`;
    case "connect-failed":
      return ending.cause === "timeout" ? "timeout" : ending.cause.kind;
    default:
      return ending.kind;
  }
}
