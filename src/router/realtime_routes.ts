/**
 * `/v1/realtime` and its alias.
 *
 * @module
 */

import type { AdminEvents, LastErrors, SessionTotals } from "../admin/mod.ts";
import type { Route } from "../http/mod.ts";
import { logOf, type Metrics, type Tracer } from "../observability/mod.ts";
import {
  type Clock,
  createRealtimeHandler,
  type Gate,
  type RealtimeMetrics,
  type SessionFacts,
  type SessionReport,
  type Sessions,
} from "../realtime/mod.ts";
import type { Dialer } from "../wire/mod.ts";
import { clientAddressOf } from "./client_address.ts";
import type { Settings } from "./settings.ts";
import type { Usage } from "./usage.ts";

/** What sessions are shown in besides the metrics. */
export interface SessionViews {
  readonly events: AdminEvents;
  readonly totals: SessionTotals;
  readonly lastErrors: LastErrors;
}

/** What {@link realtimeRoutes} joins. */
export interface RealtimeParts {
  readonly settings: Settings;
  readonly gate: Gate;
  readonly dialer: Dialer;
  readonly sessions: Sessions;
  readonly metrics: Metrics;
  readonly usage: Usage;
  readonly views: SessionViews;
  readonly clock: Clock;
  readonly tracer: Tracer;
  readonly userAgent: string;
  readonly credentialOf: (backend: string) => string | undefined;
}

/** The routes; none while realtime is not enabled. SDKs whose base URL has no `/v1` use the alias. */
export function realtimeRoutes(parts: RealtimeParts): readonly Route[] {
  const { settings, metrics, views } = parts;
  // A snapshot: the whole section waits for a restart (spec §2).
  const { realtime } = settings.config;
  if (!realtime.enabled) return [];
  const handle = createRealtimeHandler({
    ...parts,
    dial: (target) => parts.dialer.dial(target),
    timers: {
      handshakeTimeoutMs: realtime.handshake_timeout,
      idleTimeoutMs: realtime.idle_timeout,
      maxSessionDurationMs: realtime.max_session_duration,
    },
    backendPath: realtime.backend_path,
    metrics: countedTwice(metrics, views),
    meterOf: parts.usage.meterOf,
    onStart: (facts) => views.events.sessionStarted(facts),
    onEnd: (facts, report) => showEnd(views, facts, report),
    log: logOf("realtime"),
  });
  const log = logOf("http");
  return ["/v1/realtime", "/realtime"].map((path): Route => ({
    path,
    upgrades: true,
    handle: (call) => handle({ ...call, clientAddress: clientAddressOf(call, settings) }),
    onRefused: (error, call) => {
      metrics.realtime.rejected(error.code);
      views.totals.rejected(error.code);
      log.info("upgrade refused", {
        request_id: call.requestId,
        code: error.code,
        client_address: clientAddressOf(call, settings),
      });
    },
  }));
}

/** The metrics, and the same numbers for `/admin/stats`. */
function countedTwice({ realtime }: Metrics, { totals }: SessionViews): RealtimeMetrics {
  return {
    relayed: (name, bytes) => realtime.relayed(name, bytes),
    paused: (name) => realtime.paused(name),
    sessionOpened: (backend, connectMs) => {
      const stack = new DisposableStack();
      stack.use(realtime.sessionOpened(backend, connectMs));
      stack.use(totals.opened());
      return stack;
    },
    sessionEnded: (backend, session) => {
      realtime.sessionEnded(backend, session);
      totals.ended(session.outcome);
    },
  };
}

function showEnd(views: SessionViews, facts: SessionFacts, report: SessionReport): void {
  views.events.sessionEnded(facts, report);
  if (report.ending.kind !== "connect-failed") return;
  const { cause } = report.ending;
  const message = cause === "timeout" ? "handshake_timeout passed" : cause.message;
  views.lastErrors.note(facts.backend, { message, atMs: Date.now() });
}
