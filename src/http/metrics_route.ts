/**
 * The route of the metrics.
 *
 * @module
 */

import { timingSafeEqual } from "node:crypto";
import type { Route } from "./app.ts";
import { RouterError } from "./errors.ts";
import { onlyGet } from "./probes.ts";

/** The section `metrics`, and where the numbers come from. */
export interface MetricsRouteOptions {
  readonly path: string;
  /** Bearer token that is asked for; empty for none. */
  readonly authToken: string;
  readonly render: (
    accept: string,
  ) => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Makes the route. It answers under any `Host`: scrapers use addresses. */
export function metricsRoute(options: MetricsRouteOptions): Route {
  return {
    path: options.path,
    anyHost: true,
    handle: ({ request }) =>
      onlyGet(request, async () => {
        checkToken(request.headers.get("authorization"), options.authToken);
        const { contentType, text } = await options.render(request.headers.get("accept") ?? "");
        return new Response(text, { headers: { "content-type": contentType } });
      }),
  };
}

function checkToken(authorization: string | null, token: string): void {
  if (token === "") return;
  const given = new TextEncoder().encode(authorization ?? "");
  const wanted = new TextEncoder().encode(`Bearer ${token}`);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new RouterError("invalid_api_key", "The metrics need the token of metrics.auth_token", {
    headers: { "www-authenticate": "Bearer" },
  });
}
