/**
 * The metrics of HTTP requests (spec §10.2).
 *
 * @module
 */

import { Counter, Histogram, type Registry, type RegistryContentType } from "prom-client";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** See the module. */
export class HttpMetricSet {
  readonly #requests: Counter<"method" | "endpoint" | "status">;
  readonly #duration: Histogram<"endpoint">;

  constructor(registry: Registry<RegistryContentType>) {
    this.#requests = new Counter({
      name: "http_requests_total",
      help: "Requests answered",
      labelNames: ["method", "endpoint", "status"],
      registers: [registry],
    });
    this.#duration = new Histogram({
      name: "http_request_duration_seconds",
      help: "Time from a request to its answer's head",
      labelNames: ["endpoint"],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120],
      registers: [registry],
    });
  }

  /**
   * A request was answered.
   *
   * @param endpoint The route, never the path that the client sent; `other` for unknown ones.
   */
  answered(
    endpoint: string,
    request: { readonly method: string; readonly status: number; readonly durationMs: number },
  ): void {
    const method = METHODS.has(request.method) ? request.method : "other";
    this.#requests.inc({ method, endpoint, status: String(request.status) });
    this.#duration.observe({ endpoint }, request.durationMs / 1000);
  }
}
