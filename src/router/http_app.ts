/**
 * The HTTP application of a router, and the route of its metrics.
 *
 * @module
 */

import type { Config } from "../config/mod.ts";
import { type App, createApp, metricsRoute, type Route } from "../http/mod.ts";
import { logOf, type Metrics, type Tracer } from "../observability/mod.ts";
import type { Settings } from "./settings.ts";

/** The route of the metrics; none when they are off. */
export function metricsRoutes(config: Config, metrics: Metrics): readonly Route[] {
  if (!config.metrics.enabled) return [];
  const { endpoint, auth_token: authToken } = config.metrics;
  return [metricsRoute({ path: endpoint, authToken, render: (accept) => metrics.render(accept) })];
}

/** Makes the application. */
export function buildApp(
  routes: readonly Route[],
  { settings, metrics, tracer, now }: {
    readonly settings: Settings;
    readonly metrics: Metrics;
    readonly tracer: Tracer;
    readonly now: () => number;
  },
): App {
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
        log.error("request failed", { request_id: requestId, detail: withoutUrls(error.cause) }),
    },
    now,
  });
  return (...request: Parameters<typeof app>) => tracer.withinRequest(() => app(...request));
}

/** What was thrown, for the log: a URL in it might have a query, and so a secret (spec §13). */
function withoutUrls(cause: unknown): string {
  return String(cause).replaceAll(/\b[a-z]+:\/\/[^\s'"]*/gi, "<url>");
}
