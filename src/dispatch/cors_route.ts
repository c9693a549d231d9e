/**
 * CORS for routes that pages of other origins may call (spec §7). It never refuses: who is not listed gets
 * no headers, and the browser keeps the answer from the page.
 *
 * @module
 */

import { type Route, RouterError } from "../http/mod.ts";
import { type CorsAnswer, corsHeaders, type CorsOptions } from "../origin/mod.ts";

/** Where the settings come from. */
export interface CorsRouteOptions {
  /** A getter, where a reload replaces the value. */
  readonly cors: CorsOptions;
}

/** The route with CORS headers on its answers and refusals, and with its preflights answered. */
export function withCors(route: Route, options: CorsRouteOptions): Route {
  return {
    ...route,
    handle: async (call) => {
      const { request } = call;
      const answer = corsOf(request, options.cors);
      if (answer.preflight) return new Response(null, { status: 204, headers: answer.headers });
      try {
        const response = await route.handle(call);
        for (const [name, value] of Object.entries(answer.headers)) {
          response.headers.append(name, value);
        }
        return response;
      } catch (error) {
        throw error instanceof RouterError ? withHeaders(error, answer.headers) : error;
      }
    },
  };
}

function corsOf(request: Request, cors: CorsOptions): CorsAnswer {
  const origin = request.headers.get("origin");
  return corsHeaders({
    method: request.method,
    originValues: origin === null ? [] : [origin],
    requestMethod: request.headers.get("access-control-request-method"),
  }, cors);
}

function withHeaders(error: RouterError, headers: CorsAnswer["headers"]): RouterError {
  const { code, message, param, source, cause } = error;
  return new RouterError(code, message, {
    param,
    source,
    cause,
    headers: { ...error.headers, ...headers },
  });
}
