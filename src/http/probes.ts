/**
 * Liveness and readiness. They need no key and answer under any `Host`.
 *
 * @module
 */

import type { Route } from "./app.ts";
import { RouterError } from "./errors.ts";

/** `/health` and `/healthz` answer while the process lives, `/readyz` until it drains (spec §14). */
export function probeRoutes(options: { readonly isDraining: () => boolean }): readonly Route[] {
  const alive = () => Response.json({ status: "ok" });
  const ready = () => {
    if (options.isDraining()) {
      throw new RouterError("draining", "The router is shutting down", { source: "internal" });
    }
    return Response.json({ status: "ready" });
  };
  return [
    { path: "/health", anyHost: true, handle: ({ request }) => onlyGet(request, alive) },
    { path: "/healthz", anyHost: true, handle: ({ request }) => onlyGet(request, alive) },
    { path: "/readyz", anyHost: true, handle: ({ request }) => onlyGet(request, ready) },
  ];
}

/** Answers GET and HEAD. @throws {RouterError} `method_not_allowed` for every other method. */
export function onlyGet(
  request: Request,
  respond: () => Response | Promise<Response>,
): Response | Promise<Response> {
  if (request.method === "GET" || request.method === "HEAD") return respond();
  throw new RouterError("method_not_allowed", "Only GET is allowed here", {
    headers: { "allow": "GET, HEAD" },
  });
}
