/**
 * The realtime endpoint: checks a request, answers 101, and runs its session.
 *
 * @module
 */

import type { Identity } from "../auth/mod.ts";
import type { Log, LogFields, Tracer, TraceSpan } from "../observability/mod.ts";
import type { Dial, DialTarget, EdgeConnection } from "../wire/mod.ts";
import { type Admission, admit, type Gate } from "./admission.ts";
import { backendRequest } from "./backend_request.ts";
import type { Clock } from "./clock.ts";
import type { DirectionObserver } from "./direction.ts";
import { closeCodeOf, describeEnding, type Outcome } from "./ending.ts";
import { offersRealtime } from "./handshake.ts";
import { Leg } from "./leg.ts";
import { type Meter, Session, type SessionReport, type SessionTimers } from "./session.ts";
import type { SessionFacts, Sessions } from "./sessions.ts";

/** Where the numbers of sessions go. */
export interface RealtimeMetrics extends DirectionObserver {
  /** Counts an open session until the returned value is disposed of. */
  sessionOpened(backend: string, connectMs: number): Disposable;
  sessionEnded(
    backend: string,
    session: { readonly outcome: Outcome; readonly establishedMs: number | null },
  ): void;
}

/** What usage records say of a session. */
export interface MeteredSession {
  readonly requestId: string;
  /** The name dispatched to. */
  readonly model: string;
  readonly backend: string;
  readonly identity: Identity;
}

/** What the endpoint is made of. */
export interface RealtimeOptions {
  readonly gate: Gate;
  readonly dial: (target: DialTarget) => Promise<Dial>;
  readonly sessions: Sessions;
  readonly timers: SessionTimers;
  /** `realtime.backend_path`. */
  readonly backendPath: string;
  /** Sent to backends. */
  readonly userAgent: string;
  /** The credential that a hub delivered for a backend, before the configured one (spec §9). */
  readonly credentialOf: (backend: string) => string | undefined;
  readonly metrics: RealtimeMetrics;
  /** Makes the meter of a session. */
  readonly meterOf: (session: MeteredSession) => Meter;
  /** Told of a session that begins, and of one that is closed. */
  readonly onStart: (facts: SessionFacts) => void;
  readonly onEnd: (facts: SessionFacts, report: SessionReport) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer: Tracer;
}

/** A request on the endpoint. */
export interface RealtimeRequest {
  readonly request: Request;
  readonly connection: EdgeConnection;
  /** The upgrade's own id, which the client cannot choose. */
  readonly requestId: string;
  /** The client's address, as far as it may be believed. */
  readonly clientAddress: string;
}

/** Answers requests on the endpoint. Throws a `RouterError` for every refusal. */
export type RealtimeHandler = (request: RealtimeRequest) => Response;

/** Outcomes that a trace shows as errors. */
const FAILURES: ReadonlySet<Outcome> = new Set([
  "backend_connect_failed",
  "backend_abort",
  "client_abort",
]);

/** Makes the endpoint. */
export function createRealtimeHandler(options: RealtimeOptions): RealtimeHandler {
  return ({ request, connection, requestId, clientAddress }) => {
    const { headers } = request;
    const rawQuery = rawQueryOf(request.url);
    const admission = admit(
      {
        method: request.method,
        rawQuery,
        headers,
        httpVersion: connection.upgradeVersion,
        clientAddress,
      },
      options.gate,
      {
        onCaller: (identity) => logAnonymous(identity, { log: options.log, requestId }),
      },
    );
    using taken = new DisposableStack();
    taken.use(admission.permit);
    taken.use(admission.slot);
    const facts = factsOf(admission, { requestId, clientAddress });
    const shown = shownOf(facts);
    const span = options.tracer.startSpan("realtime session", {
      attributes: shown,
      traceparent: headers.get("traceparent"),
    });
    // Everything is read before the upgrade: afterwards the headers cannot be.
    const target = backendRequest(admission.backend, {
      backendPath: options.backendPath,
      userAgent: options.userAgent,
      requestId,
      dispatchModel: admission.dispatchModel,
      rawQuery,
      clientHeaders: headers,
      traceparent: span.traceparent,
      apiKey: options.credentialOf(admission.backend.name),
    });
    const subprotocol = offersRealtime(headers);
    const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: 0 });
    response.headers.set("x-request-id", requestId);
    if (subprotocol) response.headers.set("sec-websocket-protocol", "realtime");
    const leg = new Leg("client", { socket, wire: connection.leg });
    // From here on the session gives back what was taken.
    taken.move();
    void runSession(leg, { admission, target, facts, shown, span, options });
    return response;
  };
}

async function runSession(
  client: Leg,
  { admission, target, facts, shown, span, options }: {
    readonly admission: Admission;
    readonly target: DialTarget;
    readonly facts: SessionFacts;
    readonly shown: LogFields;
    readonly span: TraceSpan;
    readonly options: RealtimeOptions;
  },
): Promise<void> {
  const { metrics, log, clock, timers, dial, sessions } = options;
  const { backend, slot, permit, identity } = admission;
  using held = new DisposableStack();
  held.use(permit);
  held.use(backend.openSession());
  const session = new Session(client, {
    timers,
    clock,
    target,
    dial,
    slot,
    observer: {
      opened: (connectMs) => {
        backend.latency.observe(connectMs);
        return metrics.sessionOpened(backend.name, connectMs);
      },
      relayed: (name, bytes) => metrics.relayed(name, bytes),
      paused: (name) => metrics.paused(name),
    },
    meter: options.meterOf({
      requestId: facts.id,
      model: facts.model,
      backend: facts.backend,
      identity,
    }),
  });
  held.use(sessions.add({ facts, session }));
  log.info("session started", shown);
  options.onStart(facts);
  const report = await session.run();
  metrics.sessionEnded(backend.name, report);
  options.onEnd(facts, report);
  logConnectFailure(log, { report, shown });
  const fields = reportFields(report);
  log.info("session ended", { ...shown, ...fields });
  span.setAttributes(fields);
  span.end({ failed: FAILURES.has(report.outcome) });
}

/** In permissive mode: why a caller counts as anonymous (spec §10.1). */
function logAnonymous(
  identity: Identity,
  { log, requestId }: { readonly log: Log; readonly requestId: string },
): void {
  if (identity.kind !== "anonymous") return;
  log.debug("caller is anonymous", { request_id: requestId, reason: identity.note });
}

function logConnectFailure(
  log: Log,
  { report, shown }: { readonly report: SessionReport; readonly shown: LogFields },
): void {
  if (report.ending.kind !== "connect-failed") return;
  const { cause } = report.ending;
  log.warn("backend connection failed", {
    ...shown,
    cause: cause === "timeout" ? "timeout" : cause.kind,
    detail: cause === "timeout" ? "handshake_timeout passed" : cause.message,
  });
}

/** What the log and the trace say of a session from its start. */
function shownOf(facts: SessionFacts): LogFields {
  return {
    request_id: facts.id,
    model: facts.model,
    backend: facts.backend,
    api_key_id: facts.keyId,
    client_address: facts.clientAddress,
  };
}

function reportFields(report: SessionReport) {
  return {
    outcome: report.outcome,
    ending: describeEnding(report.ending),
    client_close_code: closeCodeOf("client", report.ending),
    backend_close_code: closeCodeOf("backend", report.ending),
    duration_ms: Math.round(report.durationMs),
    client_messages: report.clientMessages,
    client_bytes: report.clientBytes,
    backend_messages: report.backendMessages,
    backend_bytes: report.backendBytes,
    usage_records: report.usageRecords,
  };
}

function factsOf(
  admission: Admission,
  request: { readonly requestId: string; readonly clientAddress: string },
): SessionFacts {
  return {
    id: request.requestId,
    model: admission.dispatchModel,
    backend: admission.backend.name,
    keyId: admission.identity.keyId,
    clientAddress: request.clientAddress,
    startedAtMs: Date.now(),
  };
}

/** The query as the client sent it: a URL parser would write some of it anew. */
function rawQueryOf(url: string): string {
  const at = url.indexOf("?");
  return at === -1 ? "" : url.slice(at + 1);
}
