/**
 * The backends: how they are, and closing a circuit by hand.
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import type { Log } from "../observability/mod.ts";
import { type AdminEndpoint, pathSegment } from "./admin_route.ts";
import type { LastError } from "./last_errors.ts";

/** A live backend, as far as it is shown. */
export interface AdminBackend {
  readonly name: string;
  readonly config: { readonly type: string; readonly weight: number };
  readonly served: { readonly names: Iterable<string> };
  readonly sessions: number;
  readonly health: {
    state(nowMs: number): { readonly kind: string };
    /** Why the last probe failed; null when it did not. */
    readonly lastFailure: string | null;
  };
  readonly breaker: {
    state(nowMs: number): { readonly kind: string };
    retryAfterMs(nowMs: number): number;
    reset(): void;
  };
  readonly latency: { readonly averageMs: number | null };
}

/** The live backends. */
export interface AdminBackends {
  /** In the order of the configuration. */
  readonly backends: readonly AdminBackend[];
  get(name: string): AdminBackend | undefined;
}

/** What the routes work with. */
export interface BackendRouteOptions {
  readonly registry: AdminBackends;
  /** The last failed connection or request of a backend. */
  readonly lastErrorOf: (backend: string) => LastError | null;
  /** The monotonic clock of circuits and health, in milliseconds. */
  readonly now: () => number;
  readonly log: Pick<Log, "info">;
}

/** `GET /admin/backends` and `POST /admin/backends/{name}/circuit/reset`. */
export function backendEndpoints(options: BackendRouteOptions): readonly AdminEndpoint[] {
  const { registry, log } = options;
  return [
    {
      path: "/admin/backends",
      method: "GET",
      respond: () =>
        Response.json({ backends: registry.backends.map((backend) => view(backend, options)) }),
    },
    {
      path: "/admin/backends/:name/circuit/reset",
      method: "POST",
      respond: (request) => {
        const backend = registry.get(pathSegment(request, 2) ?? "");
        if (backend === undefined) throw new RouterError("not_found", "Unknown backend");
        const circuit = backend.breaker.state(options.now()).kind;
        backend.breaker.reset();
        log.info("circuit reset by operator", { backend: backend.name, circuit });
        return Response.json(view(backend, options));
      },
    },
  ];
}

function view(backend: AdminBackend, { lastErrorOf, now }: BackendRouteOptions) {
  const nowMs = now();
  const { name, config, health, breaker } = backend;
  const lastError = lastErrorOf(name);
  return {
    name,
    type: config.type,
    weight: config.weight,
    models: [...backend.served.names],
    health: health.state(nowMs).kind,
    health_failure: health.lastFailure,
    circuit: breaker.state(nowMs).kind,
    circuit_retry_after_ms: Math.ceil(breaker.retryAfterMs(nowMs)),
    sessions: backend.sessions,
    average_latency_ms: backend.latency.averageMs,
    last_error: lastError === null
      ? null
      : { message: lastError.message, at: new Date(lastError.atMs).toISOString() },
  };
}
