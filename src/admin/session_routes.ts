/**
 * The running sessions: what is known of them besides their content, and ending one.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import type { Log } from "../observability/mod.ts";
import type { SessionFacts, SessionReport } from "../realtime/mod.ts";
import { type AdminEndpoint, pathSegment } from "./admin_route.ts";

/** Messages and frame bytes that came from each side. */
export type RelayedCounts = Pick<
  SessionReport,
  "clientMessages" | "clientBytes" | "backendMessages" | "backendBytes"
>;

/** A running session. */
export interface AdminSession {
  readonly facts: SessionFacts;
  readonly session: {
    readonly state: string;
    readonly relayed: RelayedCounts;
    end(ending: { readonly kind: "operator" }): void;
  };
}

/** The running sessions, oldest first. */
export interface AdminSessions {
  [Symbol.iterator](): Iterator<AdminSession>;
  get(id: string): AdminSession | undefined;
}

/** What the routes work with. */
export interface SessionRouteOptions {
  readonly sessions: AdminSessions;
  /** Unix time in milliseconds. */
  readonly unixNow: () => number;
  readonly log: Pick<Log, "info">;
}

/** `GET /admin/sessions`, newest first, and `DELETE /admin/sessions/{id}`. */
export function sessionEndpoints(options: SessionRouteOptions): readonly AdminEndpoint[] {
  const { sessions, unixNow, log } = options;
  return [
    {
      path: "/admin/sessions",
      method: "GET",
      respond: () => {
        const now = unixNow();
        return Response.json({
          sessions: [...sessions].toReversed().map((running) => view(running, now)),
        });
      },
    },
    {
      path: "/admin/sessions/:id",
      method: "DELETE",
      respond: (request) => {
        const running = sessions.get(pathSegment(request, 2) ?? "");
        if (running === undefined) throw new RouterError("not_found", "No such session is running");
        running.session.end({ kind: "operator" });
        log.info("session ended by operator", { request_id: running.facts.id });
        // Both legs may take until the end of the grace.
        return Response.json({ id: running.facts.id, state: "closing" }, { status: 202 });
      },
    },
  ];
}

/** The facts of a session under the names that the log uses. */
export function factFields(facts: SessionFacts) {
  return {
    id: facts.id,
    model: facts.model,
    backend: facts.backend,
    api_key_id: facts.keyId,
    client_address: facts.clientAddress,
    started_at: new Date(facts.startedAtMs).toISOString(),
  };
}

/** The counts of a session under the names that the log uses. */
export function relayedFields(counts: RelayedCounts) {
  return {
    client_messages: counts.clientMessages,
    client_bytes: counts.clientBytes,
    backend_messages: counts.backendMessages,
    backend_bytes: counts.backendBytes,
  };
}

function view({ facts, session }: AdminSession, unixNowMs: number) {
  return {
    ...factFields(facts),
    // The machine's clock may have been set back since.
    age_seconds: Math.max(0, unixNowMs - facts.startedAtMs) / 1000,
    state: session.state,
    ...relayedFields(session.relayed),
  };
}
