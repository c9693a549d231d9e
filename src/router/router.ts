/**
 * A running router: every room made from the configuration and joined to the others.
 *
 * @module
 */

import {
  AdminEvents,
  adminRoutes,
  LastErrors,
  type ReloadResult,
  SessionTotals,
} from "../admin/mod.ts";
import { consoleAssets, consoleRoutes } from "../console/mod.ts";
import { dispatchRoutes, Upstream } from "../dispatch/mod.ts";
import { probeRoutes, rawErrorResponse, type Route, RouterError } from "../http/mod.ts";
import { createTracer, logOf, Metrics } from "../observability/mod.ts";
import { type Clock, type Gate, Permits, Sessions, systemClock } from "../realtime/mod.ts";
import {
  Dialer,
  type DialerTransport,
  Edge,
  type InnerSocketName,
  type PeerAddress,
  type TlsIdentity,
} from "../wire/mod.ts";
import { observedBackends, startProber } from "./backend_prober.ts";
import { clientAddressOf } from "./client_address.ts";
import { startHub } from "./control_plane.ts";
import { endSessions, once } from "./drain.ts";
import { buildApp, metricsRoutes } from "./http_app.ts";
import { liveGate } from "./live_gate.ts";
import { realtimeRoutes } from "./realtime_routes.ts";
import { inTurn, type ReloadOptions, reloadSettings } from "./reload.ts";
import { type RouterConfig, Settings } from "./settings.ts";
import { createUsage, type Usage } from "./usage.ts";

/** What a router takes besides its configuration. */
export interface RouterOptions extends Partial<Pick<RouterConfig, "modelMetadata">>, ReloadOptions {
  /** Version of the product, for the user agent. */
  readonly version: string;
  /** Certificate and key of `server.tls`, read. @default {undefined} plain HTTP */
  readonly tls?: TlsIdentity;
  /** How the native WebSocket client is reached. @default {"unix"} or, on Windows, `tcp` */
  readonly transport?: DialerTransport;
  /** PEM certificates of backends trusted besides the operating system's; for tests. @default {[]} */
  readonly caCerts?: readonly string[];
  /** Time of sessions, circuits and probes. @default {systemClock} */
  readonly clock?: Clock;
}

/** A running router. */
export interface Router {
  /** Where it listens, with the real ports. */
  readonly addresses: readonly PeerAddress[];
  /** Where `admin.bind_address` listens. */
  readonly adminAddresses: readonly PeerAddress[];
  /** The sessions that run. */
  readonly sessions: Sessions;
  /** `max_sessions` permits held now. */
  readonly permitsHeld: () => number;
  /** Backend connections that the native client has not made yet. */
  readonly openTickets: () => number;
  /** Client connections open now. */
  readonly connectionCount: () => number;
  readonly metrics: Metrics;
  readonly usage: Usage;
  /**
   * Reads the configuration again and applies what can be applied (spec §2, Reload).
   *
   * @throws {ConfigError} When it is not valid; then nothing changes.
   */
  reload(): Promise<ReloadResult>;
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
 * @throws {TypeError} When traces are on and URLs cannot be kept out of them.
 * @throws {SpoolError} When the spool of usage records cannot be opened.
 * @throws {ListenError} When an address cannot be listened on.
 */
export async function startRouter(
  config: RouterConfig["config"],
  options: RouterOptions,
): Promise<Router> {
  const { modelMetadata = [], caCerts = [], clock = systemClock } = options;
  const { now } = clock;
  // Before anything asks anybody: from here on traces hold no URLs.
  const tracer = createTracer();
  const userAgent = `realtime-router/${options.version}`;
  const settings = new Settings({ config, modelMetadata });
  const { registry } = settings;
  const metrics = new Metrics();
  const sessions = new Sessions();
  const permits = new Permits(config.realtime.max_sessions);
  const views = {
    events: new AdminEvents(),
    totals: new SessionTotals(),
    lastErrors: new LastErrors(),
  };
  let draining = false;

  // What is started is ended in the opposite order, also when a later part does not start.
  await using started = new AsyncDisposableStack();
  const hub = await startHub(config, { metrics, clock });
  started.defer(() => hub?.close());
  const credentialOf = (backend: string) => hub?.credentialOf(backend);
  const dialer = await Dialer.start({
    runtimeDir: config.server.runtime_dir,
    transport: options.transport ?? defaultTransport(),
    maxMessageBytes: MAX_MESSAGE_BYTES,
    caCerts,
    now,
  });
  started.defer(() => dialer.close());
  const upstream = started.use(new Upstream({ caCerts }));
  const prober = startProber(registry, { clock, userAgent, credentialOf, caCerts });
  started.defer(() => prober.close());
  metrics.observeBackends(() => observedBackends(registry, now()));
  const usage = createUsage({
    metrics,
    sinks: hub === undefined ? [views.events] : [hub.sink, views.events],
    now,
  });
  const reload = inTurn(() => reloadSettings(options, { settings, prober }));

  const gate: Gate = liveGate(settings, { permits, now, isDraining: () => draining });
  const publicRoutes = [
    ...probeRoutes({ isDraining: () => draining }),
    ...realtimeRoutes({
      ...{ settings, gate, dialer, sessions, metrics, usage, views, clock },
      ...{ userAgent, credentialOf, tracer },
    }),
    ...dispatchRoutes({
      ...{ gate, settings, userAgent, credentialOf, clock, tracer },
      ask: upstream.ask,
      usage: usage.sink,
      onBackendFailure: (backend, message) =>
        views.lastErrors.note(backend, { message, atMs: Date.now() }),
      log: logOf("dispatch"),
      clientAddressOf: (call) => clientAddressOf(call, settings),
    }),
  ];
  const operatorRoutes = [
    ...metricsRoutes(config, metrics),
    ...adminRoutes({
      config: () => settings.config,
      statistics: () => usage.statistics.snapshot(now()),
      realtimeStatistics: () => views.totals.snapshot(),
      recentUsage: (limit) => usage.recent.newestFirst(limit),
      ...{ sessions, registry, clock },
      lastErrorOf: (backend) => views.lastErrors.of(backend),
      events: views.events,
      ...options.loadConfig === undefined ? {} : { reload },
      unixNow: Date.now,
      log: logOf("admin"),
    }),
    ...config.console.enabled ? consoleRoutes(consoleAssets) : [],
  ];
  const listen = async (
    name: InnerSocketName,
    { addresses, routes }: {
      readonly addresses: readonly PeerAddress[];
      readonly routes: readonly Route[];
    },
  ) => {
    const edge = await Edge.start({
      listen: addresses,
      socketPath: dialer.folder?.pathOf(name),
      ...options.tls === undefined ? {} : { tls: options.tls },
      handler: buildApp(routes, { settings, metrics, tracer, now }),
      renderRefusal: ({ code, message }) =>
        rawErrorResponse(new RouterError(code, message), crypto.randomUUID()),
      maxMessageBytes: MAX_MESSAGE_BYTES,
      maxConnections: config.realtime.max_sessions + SPARE_CONNECTIONS,
      now,
      onAcceptError: (error) => logOf("edge").warn("cannot accept", { detail: String(error) }),
    });
    started.defer(() => edge.close());
    return edge;
  };
  const adminAddresses = config.admin.bind_address;
  const apart = adminAddresses.length > 0;
  const edge = await listen("main", {
    addresses: config.server.bind_address,
    routes: apart ? publicRoutes : [...publicRoutes, ...operatorRoutes],
  });
  const adminEdge = apart
    ? await listen("admin", {
      addresses: adminAddresses,
      routes: [...probeRoutes({ isDraining: () => draining }), ...operatorRoutes],
    })
    : undefined;
  // Runs first of all: sessions end before the connections that they live on.
  started.defer(async () => {
    draining = true;
    views.events.close();
    sessions.killAll();
    await sessions.whenEmpty();
  });

  const running = started.move();
  const close = once(() => running.disposeAsync());
  const drain = once(async () => {
    draining = true;
    views.events.close();
    const drainTimeoutMs = settings.config.server.drain_timeout;
    const edges = adminEdge === undefined ? [edge] : [edge, adminEdge];
    await endSessions(sessions, { clock, drainTimeoutMs, edges });
    await close();
  });
  return {
    addresses: edge.addresses,
    adminAddresses: adminEdge?.addresses ?? [],
    sessions,
    permitsHeld: () => permits.held,
    openTickets: () => dialer.openTickets,
    connectionCount: () => edge.connectionCount,
    metrics,
    usage,
    reload,
    drain,
    close,
  };
}

function defaultTransport(): DialerTransport {
  if (Deno.build.os !== "windows") return "unix";
  logOf("wire").warn("no Unix sockets here: messages over 1 KiB to backends are delayed by 44 ms");
  return "tcp";
}
