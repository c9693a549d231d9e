/**
 * The HTTP application: which route answers what, in which order it is checked, and how errors look.
 *
 * @module
 */

import { type Context, Hono } from "hono";
import type { EdgeConnection } from "../wire/mod.ts";
import { errorResponse, toRouterError } from "./error_response.ts";
import { RouterError } from "./errors.ts";
import { httpRequestId } from "./request_id.ts";

/** Answers a request of one route, or throws. */
export type RouteHandler = (call: {
  readonly request: Request;
  readonly connection: EdgeConnection;
  readonly requestId: string;
}) => Response | Promise<Response>;

/** A route that another room serves, under every method. */
export interface Route {
  readonly path: string;
  /** Whether it upgrades: then the client cannot choose the request id. @default {false} */
  readonly upgrades?: boolean;
  /** Whether requests of any `Host` may use it, as probes do (spec §3 row 0). @default {false} */
  readonly anyHost?: boolean;
  readonly handle: RouteHandler;
  /** Told of every refusal, that of the `Host` included. @default {undefined} nobody asks */
  readonly onRefused?: (
    error: RouterError,
    call: {
      readonly connection: EdgeConnection;
      readonly request: Request;
      readonly requestId: string;
    },
  ) => void;
}

/** Told of every answer. */
export interface AppObserver {
  answered(
    endpoint: string,
    answer: { readonly method: string; readonly status: number; readonly durationMs: number },
  ): void;
  /** Something was thrown that is not a refusal. */
  failed(error: RouterError, requestId: string): void;
}

/** What the application is made of. */
export interface AppOptions {
  readonly routes: readonly Route[];
  /** Refuses a `Host` that is not served, before anything else. */
  readonly checkHost: (host: string | null) => RouterError | null;
  readonly observer: AppObserver;
  readonly now: () => number;
}

/** The finished application. */
export type App = (request: Request, connection: EdgeConnection) => Response | Promise<Response>;

interface Env {
  Bindings: {
    readonly connection: EdgeConnection;
    /** The answer with its body, which hono takes off an answer to HEAD. */
    whole?: Response;
  };
}

/** Makes the application. */
export function createApp(options: AppOptions): App {
  const app = new Hono<Env>({ strict: true });
  const answerWhole = async (route: Route, { req, env }: Context<Env>) => {
    const call = { request: req.raw, connection: env.connection };
    return env.whole = await answer(route, { ...call, options });
  };
  for (const route of options.routes) {
    app.all(route.path, (context) => answerWhole(route, context));
  }
  const unknown: Route = { path: "other", handle: refuseUnknown };
  app.notFound((context) => answerWhole(unknown, context));
  return async (request, connection) => {
    const env: Env["Bindings"] = { connection };
    const response = await app.fetch(request, env);
    // The server leaves the body of an answer to HEAD out, and says how long it would be (RFC 9110 §8.6).
    return request.method === "HEAD" ? env.whole ?? response : response;
  };
}

async function answer(
  route: Route,
  { request, connection, options }: {
    readonly request: Request;
    readonly connection: EdgeConnection;
    readonly options: AppOptions;
  },
): Promise<Response> {
  const startedMs = options.now();
  const { method, headers } = request;
  const requestId = route.upgrades
    ? crypto.randomUUID()
    : httpRequestId(headers.get("x-request-id"));
  let response: Response;
  try {
    const refusal = route.anyHost ? null : options.checkHost(headers.get("host"));
    if (refusal !== null) throw refusal;
    response = await route.handle({ request, connection, requestId });
    if (!response.headers.has("x-request-id")) response.headers.set("x-request-id", requestId);
  } catch (thrown) {
    const error = toRouterError(thrown);
    if (error !== thrown) options.observer.failed(error, requestId);
    else route.onRefused?.(error, { request, connection, requestId });
    const closes = route.upgrades === true;
    response = errorResponse(error, requestId, { closes });
    // The server does not heed the header that says so (spec §3: a refusal closes the connection).
    if (closes) void connection.endAfterAnswers();
  }
  const durationMs = options.now() - startedMs;
  options.observer.answered(route.path, { method, status: response.status, durationMs });
  return response;
}

function refuseUnknown(): never {
  throw new RouterError("not_found", "Unknown path");
}
