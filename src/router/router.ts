/**
 * A running router: every room made from the configuration and joined to the others.
 *
 * @module
 */

import type { Config, ModelConfig } from "../config/mod.ts";
import {
  createApp,
  metricsRoute,
  probeRoutes,
  rawErrorResponse,
  type Route,
  RouterError,
} from "../http/mod.ts";
import { logOf, Metrics } from "../observability/mod.ts";
import {
  type Clock,
  createRealtimeHandler,
  type Gate,
  Permits,
  Sessions,
  systemClock,
} from "../realtime/mod.ts";
import { BackendRegistry, createStrategy } from "../routing/mod.ts";
import {
  Dialer,
  type DialerTransport,
  Edge,
  type PeerAddress,
  type TlsIdentity,
} from "../wire/mod.ts";
import {
  buildAllowedHosts,
  buildKeyRing,
  buildOriginPolicy,
  buildRateLimiter,
} from "./access_settings.ts";
import { clientAddress } from "./client_address.ts";
import { backendConfigs, buildCatalogue } from "./routing_settings.ts";

/** What a router takes besides its configuration. */
export interface RouterOptions {
  /** Version of the product, for the user agent. */
  readonly version: string;
  /** Entries of `model_metadata_file`. @default {[]} */
  readonly modelMetadata?: readonly ModelConfig[];
  /** Certificate and key of `server.tls`, read. @default {undefined} plain HTTP */
  readonly tls?: TlsIdentity;
  /** How the native WebSocket client is reached. @default {"unix"} or, on Windows, `tcp` */
  readonly transport?: DialerTransport;
  /** PEM certificates of backends trusted besides the operating system's; for tests. @default {[]} */
  readonly caCerts?: readonly string[];
  /** Time of the sessions. @default {systemClock} */
  readonly clock?: Clock;
}

/** A running router. */
export interface Router {
  /** Where it listens, with the real ports. */
  readonly addresses: readonly PeerAddress[];
  /** The sessions that run. */
  readonly sessions: Sessions;
  /** `max_sessions` permits held now. */
  readonly permitsHeld: () => number;
  /** Backend connections that the native client has not made yet. */
  readonly openTickets: () => number;
  /** Client connections open now. */
  readonly connectionCount: () => number;
  readonly metrics: Metrics;
  /** Lets running sessions end for `server.drain_timeout`, ends the others, then closes. Idempotent. */
  drain(): Promise<void>;
  /** Ends everything now. Idempotent. */
  close(): Promise<void>;
}

/** The most bytes of one message on either leg (spec §6 "Size"). */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Connections beside those of sessions: probes, scrapes, refusals, plain requests. */
const SPARE_CONNECTIONS = 1024;

/**
 * Starts a router.
 *
 * @throws {RuntimeDirError} When the runtime directory cannot be trusted.
 * @throws {Deno.errors.AddrInUse} And the like, when an address cannot be listened on.
 */
export async function startRouter(config: Config, options: RouterOptions): Promise<Router> {
  const clock = options.clock ?? systemClock;
  const metrics = new Metrics();
  const sessions = new Sessions();
  const permits = new Permits(config.realtime.max_sessions);
  let draining = false;
  const gate: Gate = {
    get draining() {
      return draining;
    },
    keyRing: buildKeyRing(config),
    rateLimiter: buildRateLimiter(config),
    originPolicy: buildOriginPolicy(config),
    catalogue: buildCatalogue(config, { modelMetadata: options.modelMetadata ?? [] }),
    registry: new BackendRegistry(backendConfigs(config)),
    strategy: createStrategy(config.selection_strategy, { random: Math.random }),
    permits,
    now: clock.now,
    unixNow: Date.now,
  };
  const dialer = await Dialer.start({
    runtimeDir: config.server.runtime_dir,
    transport: options.transport ?? defaultTransport(),
    maxMessageBytes: MAX_MESSAGE_BYTES,
    caCerts: options.caCerts ?? [],
    now: clock.now,
  });
  const routes = [
    ...probeRoutes({ isDraining: () => draining }),
    ...metricsRoutes(config, metrics),
    ...realtimeRoutes(config, { gate, dialer, sessions, metrics, clock, version: options.version }),
  ];
  const app = buildApp(config, { routes, metrics, now: clock.now });
  try {
    const edge = await Edge.start({
      listen: config.server.bind_address,
      ...options.tls === undefined ? {} : { tls: options.tls },
      handler: app,
      renderRefusal: ({ code, message }) =>
        rawErrorResponse(new RouterError(code, message), crypto.randomUUID()),
      maxMessageBytes: MAX_MESSAGE_BYTES,
      maxConnections: config.realtime.max_sessions + SPARE_CONNECTIONS,
      now: clock.now,
      onAcceptError: (error) => logOf("edge").warn("cannot accept", { detail: String(error) }),
    });
    const close = once(async () => {
      draining = true;
      sessions.killAll();
      await edge.close();
      await sessions.whenEmpty();
      await dialer.close();
    });
    const drain = once(async () => {
      draining = true;
      await endSessions(sessions, { clock, drainTimeoutMs: config.server.drain_timeout });
      await close();
    });
    return {
      addresses: edge.addresses,
      sessions,
      permitsHeld: () => permits.held,
      openTickets: () => dialer.openTickets,
      connectionCount: () => edge.connectionCount,
      metrics,
      drain,
      close,
    };
  } catch (error) {
    await dialer.close();
    throw error;
  }
}

function defaultTransport(): DialerTransport {
  if (Deno.build.os !== "windows") return "unix";
  logOf("wire").warn("no Unix sockets here: messages over 1 KiB to backends are delayed by 44 ms");
  return "tcp";
}

function metricsRoutes(config: Config, metrics: Metrics): readonly Route[] {
  if (!config.metrics.enabled) return [];
  const { endpoint, auth_token: authToken } = config.metrics;
  return [metricsRoute({ path: endpoint, authToken, render: (accept) => metrics.render(accept) })];
}

/** `/v1/realtime`, and `/realtime` for SDKs whose base URL has no `/v1`; none while it is not enabled. */
function realtimeRoutes(
  config: Config,
  { gate, dialer, sessions, metrics, clock, version }: {
    readonly gate: Gate;
    readonly dialer: Dialer;
    readonly sessions: Sessions;
    readonly metrics: Metrics;
    readonly clock: Clock;
    readonly version: string;
  },
): readonly Route[] {
  const { realtime, server } = config;
  if (!realtime.enabled) return [];
  const handle = createRealtimeHandler({
    gate,
    dial: (target) => dialer.dial(target),
    sessions,
    timers: {
      handshakeTimeoutMs: realtime.handshake_timeout,
      idleTimeoutMs: realtime.idle_timeout,
      maxSessionDurationMs: realtime.max_session_duration,
    },
    backendPath: realtime.backend_path,
    userAgent: `realtime-router/${version}`,
    credentialOf: () => undefined,
    metrics: metrics.realtime,
    clock,
    log: logOf("realtime"),
  });
  return ["/v1/realtime", "/realtime"].map((path): Route => ({
    path,
    upgrades: true,
    handle: ({ request, connection, requestId }) => {
      try {
        return handle({
          request,
          connection,
          requestId,
          clientAddress: clientAddress(connection.peer.hostname, {
            forwardedFor: request.headers.get("x-forwarded-for"),
            trustProxy: server.trust_proxy,
          }),
        });
      } catch (error) {
        if (error instanceof RouterError) metrics.realtime.rejected(error.code);
        throw error;
      }
    },
  }));
}

function buildApp(
  config: Config,
  options: {
    readonly routes: readonly Route[];
    readonly metrics: Metrics;
    readonly now: () => number;
  },
) {
  const hosts = buildAllowedHosts(config);
  const log = logOf("http");
  return createApp({
    routes: options.routes,
    checkHost: (host) => hosts.check(host),
    observer: {
      answered: (endpoint, answer) => options.metrics.http.answered(endpoint, answer),
      failed: (error, requestId) =>
        log.error("request failed", { request_id: requestId, detail: String(error.cause) }),
    },
    now: options.now,
  });
}

/** Lets sessions end by themselves for a while, then ends those that are left (spec §14). */
async function endSessions(
  sessions: Sessions,
  options: { readonly clock: Clock; readonly drainTimeoutMs: number },
): Promise<void> {
  const late = options.clock.after(
    options.drainTimeoutMs,
    () => sessions.endAll({ kind: "shutdown" }),
  );
  await sessions.whenEmpty();
  late[Symbol.dispose]();
}

/** Makes every call give what the first one gives. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => running ??= run();
}
