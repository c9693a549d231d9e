/**
 * The metrics registry and what is served of it.
 *
 * @module
 */

import process from "node:process";
import { Counter, Gauge, Registry, type RegistryContentType } from "prom-client";
import { BackendMetricSet, type ObservedBackend } from "./backend_metrics.ts";
import { HttpMetricSet } from "./http_metrics.ts";
import { RealtimeMetricSet } from "./realtime_metrics.ts";
import { UsageMetricSet } from "./usage_metrics.ts";

/** A rendered registry. */
export interface RenderedMetrics {
  readonly contentType: string;
  readonly text: string;
}

/** All metrics of one router. */
export class Metrics {
  readonly realtime: RealtimeMetricSet;
  readonly http: HttpMetricSet;
  readonly usage: UsageMetricSet;
  readonly #registry: Registry<RegistryContentType>;
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    this.#registry = new Registry<RegistryContentType>();
    this.realtime = new RealtimeMetricSet(this.#registry);
    this.http = new HttpMetricSet(this.#registry);
    this.usage = new UsageMetricSet(this.#registry);
    addProcessMetrics(this.#registry);
  }

  /**
   * Shows the health and the circuits of backends, as `backends` tells them at each scrape.
   *
   * @throws {Error} When called a second time.
   */
  observeBackends(backends: () => Iterable<ObservedBackend>): void {
    new BackendMetricSet(this.#registry, { backends });
  }

  /**
   * The metrics in the format that an `Accept` header asks for: OpenMetrics, else Prometheus' text. One at
   * a time, because the format is a state of the registry.
   */
  render(accept: string): Promise<RenderedMetrics> {
    const contentType = accept.includes("application/openmetrics-text")
      ? Registry.OPENMETRICS_CONTENT_TYPE
      : Registry.PROMETHEUS_CONTENT_TYPE;
    const rendered = this.#last.then(async () => {
      this.#registry.setContentType(contentType);
      return { contentType, text: await this.#registry.metrics() };
    });
    this.#last = rendered.catch(() => {});
    return rendered;
  }
}

/** Of prom-client's default metrics those that need no permission; its resident memory is 0 under Deno. */
function addProcessMetrics(registry: Registry<RegistryContentType>): void {
  const registers = [registry];
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory size in bytes.",
    registers,
    collect() {
      this.set(Deno.memoryUsage().rss);
    },
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "Start time of the process since unix epoch in seconds.",
    registers,
  }).set(Math.round(performance.timeOrigin / 1000));
  let counted = 0;
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Total user and system CPU time spent in seconds.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      const seconds = (user + system) / 1e6;
      this.inc(Math.max(0, seconds - counted));
      counted = seconds;
    },
  });
}
