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
import { ConfigError, issueLine } from "../config/mod.ts";
import { dispatchRoutes, Upstream } from "../dispatch/mod.ts";
import {
  createApp,
  metricsRoute,
  probeRoutes,
  rawErrorResponse,
  type Route,
  RouterError,
} from "../http/mod.ts";
import { createTracer, logOf, Metrics, type Tracer } from "../observability/mod.ts";
import { type Clock, type Gate, Permits, Sessions, systemClock } from "../realtime/mod.ts";
import {
  Dialer,
  type DialerTransport,
  Edge,
  type PeerAddress,
  type TlsIdentity,
} from "../wire/mod.ts";
import { observedBackends, startProber } from "./backend_prober.ts";
import { clientAddressOf } from "./client_address.ts";
import { startHub } from "./control_plane.ts";
import { realtimeRoutes } from "./realtime_routes.ts";
import { type RouterConfig, Settings } from "./settings.ts";
import { createUsage, type Usage } from "./usage.ts";

/** What a router takes besides its configuration. */
export interface RouterOptions extends Partial<Pick<RouterConfig, "modelMetadata">> {
  /** Version of the product, for the user agent. */
  readonly version: string;
  /** Certificate and key of `server.tls`, read. @default {undefined} plain HTTP */
  readonly tls?: TlsIdentity;
  /** Reads the configuration again. @default {undefined} there is no reload */
  readonly loadConfig?: () => Promise<RouterConfig>;
  /** Told of a configuration that a reload has brought into force. @default {undefined} */
  readonly onReload?: (config: RouterConfig["config"]) => Promise<void>;
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
  ];
  const listen = async (addresses: readonly PeerAddress[], routes: readonly Route[]) => {
    const edge = await Edge.start({
      listen: addresses,
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
  const edge = await listen(
    config.server.bind_address,
    apart ? publicRoutes : [...publicRoutes, ...operatorRoutes],
  );
  const adminEdge = apart
    ? await listen(adminAddresses, [
      ...probeRoutes({ isDraining: () => draining }),
      ...operatorRoutes,
    ])
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

/** What requests are checked against, as it is at each of them. */
function liveGate(
  settings: Settings,
  { permits, now, isDraining }: {
    readonly permits: Permits;
    readonly now: () => number;
    readonly isDraining: () => boolean;
  },
): Gate {
  return {
    get draining() {
      return isDraining();
    },
    get keyRing() {
      return settings.keyRing;
    },
    rateLimiter: settings.rateLimiter,
    get originPolicy() {
      return settings.originPolicy;
    },
    get catalogue() {
      return settings.catalogue;
    },
    registry: settings.registry,
    get strategy() {
      return settings.strategy;
    },
    permits,
    now,
    unixNow: Date.now,
  };
}

function metricsRoutes(config: RouterConfig["config"], metrics: Metrics): readonly Route[] {
  if (!config.metrics.enabled) return [];
  const { endpoint, auth_token: authToken } = config.metrics;
  return [metricsRoute({ path: endpoint, authToken, render: (accept) => metrics.render(accept) })];
}

function buildApp(
  routes: readonly Route[],
  { settings, metrics, tracer, now }: {
    readonly settings: Settings;
    readonly metrics: Metrics;
    readonly tracer: Tracer;
    readonly now: () => number;
  },
) {
  const log = logOf("http");
  const app = createApp({
    routes,
    checkHost: (host) => settings.allowedHosts.check(host),
    observer: {
      answered: (endpoint, answer) => {
        metrics.http.answered(endpoint, answer);
        const name = `${answer.method} ${endpoint}`;
        tracer.describeRequest({ "http.route": endpoint }, { name });
      },
      failed: (error, requestId) =>
        log.error("request failed", { request_id: requestId, detail: String(error.cause) }),
    },
    now,
  });
  return (...request: Parameters<typeof app>) => tracer.withinRequest(() => app(...request));
}

async function reloadSettings(
  { loadConfig, onReload }: RouterOptions,
  { settings, prober }: {
    readonly settings: Settings;
    readonly prober: ReturnType<typeof startProber>;
  },
): Promise<ReloadResult> {
  const log = logOf("reload");
  if (loadConfig === undefined) throw new TypeError("this router has nothing to reload from");
  try {
    const { backends, applied, waitingForRestart } = settings.apply(await loadConfig());
    prober.refresh(backends);
    await onReload?.(settings.config);
    for (const field of waitingForRestart) log.warn("waits for a restart", { field });
    log.info("configuration reloaded", {
      backends_added: backends.added.length,
      backends_removed: backends.removed.length,
      waiting_for_restart: waitingForRestart.length,
    });
    return { applied, waiting_for_restart: waitingForRestart };
  } catch (error) {
    const problems = error instanceof ConfigError ? error.issues.map(issueLine) : [String(error)];
    for (const problem of problems) log.error("not reloaded", { problem });
    throw error;
  }
}

/** Lets sessions and requests end by themselves for a while, then ends those that are left (spec §14). */
async function endSessions(
  sessions: Sessions,
  { clock, drainTimeoutMs, edges }: {
    readonly clock: Clock;
    readonly drainTimeoutMs: number;
    readonly edges: readonly Edge[];
  },
): Promise<void> {
  const late = Promise.withResolvers<void>();
  using _timer = clock.after(drainTimeoutMs, () => {
    sessions.endAll({ kind: "shutdown" });
    late.resolve();
  });
  await sessions.whenEmpty();
  const answered = Promise.all(edges.map((edge) => edge.endAfterAnswers()));
  await Promise.race([answered, late.promise]);
}

/** Makes every call wait for the one before it. */
function inTurn<T>(run: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}

/** Makes every call give what the first one gives. */
function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => running ??= run();
}
