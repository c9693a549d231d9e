/**
 * What the overview shows, and what may happen to it.
 *
 * @module
 */

import type {
  Backend,
  RunningSession,
  SessionEnd,
  SessionFacts,
  Statistics,
  UsageRecord,
} from "./admin_types.ts";
import type { AuthScheme } from "./credential.ts";
import type { Sample } from "./series.ts";

/** How the page stands with the router. */
export type Link =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** The connection was lost; the page tries again by itself. */
  | { readonly kind: "waiting"; readonly reason: string }
  /** A credential is asked for. `rejected`: the one that was given is wrong. */
  | { readonly kind: "locked"; readonly scheme: AuthScheme; readonly rejected: boolean }
  /** The router does not let this page in, whatever it sends. */
  | { readonly kind: "forbidden"; readonly code: string; readonly message: string };

/** A session that runs. */
export interface LiveSession extends RunningSession {
  /** Unix milliseconds by this machine's clock, of the start. */
  readonly startedMs: number;
  /** Unix milliseconds, of when the page learnt of it. */
  readonly seenMs: number;
}

/** See the module. Every list is bounded. */
export interface ConsoleState {
  readonly link: Link;
  readonly sessions: ReadonlyMap<string, LiveSession>;
  /** Newest first. */
  readonly ended: readonly SessionEnd[];
  /** Ids of sessions that have ended lately: an answer that is older must not bring them back. */
  readonly endedIds: ReadonlySet<string>;
  /** Newest first. */
  readonly records: readonly UsageRecord[];
  readonly statistics: Statistics | null;
  readonly backends: readonly Backend[];
  readonly samples: readonly Sample[];
  /** Events that the router dropped because the page did not keep up. */
  readonly dropped: number;
}

/** What may happen. Times are Unix milliseconds. */
export type ConsoleAction =
  | { readonly kind: "link"; readonly link: Link }
  | { readonly kind: "started"; readonly session: SessionFacts; readonly atMs: number }
  | { readonly kind: "ended"; readonly session: SessionEnd }
  | { readonly kind: "record"; readonly record: UsageRecord }
  | { readonly kind: "dropped"; readonly count: number }
  /** The answer of `/admin/sessions`, asked for at `askedMs`. */
  | {
    readonly kind: "sessions";
    readonly sessions: readonly RunningSession[];
    readonly askedMs: number;
    readonly atMs: number;
  }
  | { readonly kind: "records"; readonly records: readonly UsageRecord[] }
  | { readonly kind: "statistics"; readonly statistics: Statistics; readonly atMs: number }
  | { readonly kind: "backends"; readonly backends: readonly Backend[] }
  /** An operator has ended a session. */
  | { readonly kind: "closing"; readonly id: string }
  /** The page was locked: nothing of what it knew stays. */
  | { readonly kind: "forget" };

/** Before anything is known. */
export const INITIAL_STATE: ConsoleState = {
  link: { kind: "connecting" },
  sessions: new Map(),
  ended: [],
  endedIds: new Set(),
  records: [],
  statistics: null,
  backends: [],
  samples: [],
  dropped: 0,
};
