/**
 * What all admin routes have in common: who may call them, one method each, and answers that no cache keeps.
 *
 * @module
 */

import { errorResponse, RouterError } from "../http/mod.ts";
import { type AdminAuth, checkAdminAccess } from "./admin_auth.ts";

/** A request on an admin route. What an HTTP route gets is one. */
export interface AdminCall {
  readonly request: Request;
  readonly connection: { readonly peer: { readonly hostname: string } };
  readonly requestId: string;
}

/** An HTTP route that asks little of its connection. */
export interface AdminRoute {
  /** May have parameters, as in `/admin/sessions/:id`. */
  readonly path: string;
  readonly handle: (call: AdminCall) => Promise<Response>;
}

/** What a path does, before access and method are checked. */
export interface AdminEndpoint {
  readonly path: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** Answers, or throws a {@link RouterError}. */
  readonly respond: (request: Request) => Response | Promise<Response>;
}

/** Nobody stores an answer, takes it for another type, or embeds it in a page of another origin. */
const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

/**
 * Makes a route of an endpoint. Access is checked before the method, so that who may not ask learns nothing
 * but that.
 *
 * @param auth Gives the section `admin.auth` as it is now: a reload may change it.
 */
export function adminRoute(endpoint: AdminEndpoint, auth: () => AdminAuth): AdminRoute {
  const { path, method, respond } = endpoint;
  return {
    path,
    handle: async ({ request, connection, requestId }) => {
      let response: Response;
      try {
        const caller = { peer: connection.peer.hostname, headers: request.headers };
        const refusal = checkAdminAccess(caller, auth()) ?? checkMethod(request.method, method);
        if (refusal !== null) throw refusal;
        response = await respond(request);
      } catch (thrown) {
        if (!(thrown instanceof RouterError)) throw thrown;
        response = errorResponse(thrown, requestId);
      }
      for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
      return response;
    },
  };
}

/** The segment of a request's path at `index`, decoded; null when it is not there or not UTF-8. */
export function pathSegment(request: Request, index: number): string | null {
  const segment = new URL(request.url).pathname.split("/")[index + 1];
  try {
    return segment === undefined ? null : decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function checkMethod(method: string, allowed: string): RouterError | null {
  if (method === allowed) return null;
  return new RouterError("method_not_allowed", `Only ${allowed} is allowed here`, {
    headers: { "allow": allowed },
  });
}
