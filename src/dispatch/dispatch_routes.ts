/**
 * The plain HTTP routes (spec §11).
 *
 * @module
 */

import { BodyBudget } from "./body_budget.ts";
import { onlyGet, type Route, type RouteHandler, RouterError } from "../http/mod.ts";
import { type CallerRequest, identifyCaller } from "./caller.ts";
import { type CorsRouteOptions, withCors } from "./cors_route.ts";
import { dispatch, type DispatchParts, type DispatchSettings } from "./dispatch.ts";
import { findModel, listModels } from "./model_list.ts";

/** What the routes are made of. */
export interface DispatchOptions extends DispatchParts {
  readonly settings: DispatchSettings & CorsRouteOptions;
  /** The client's address, as far as it may be believed. */
  readonly clientAddressOf: (call: Parameters<RouteHandler>[0]) => string;
}

/** Where requests to a model come in, and at which path backends are asked. */
const MODEL_PATHS = [
  "/v1/chat/completions",
  "/v1/completions",
  "/v1/responses",
  "/v1/embeddings",
  "/v1/rerank",
  "/v1/audio/speech",
  "/v1/images/generations",
] as const;

const LIST_PATH = "/v1/models";

/** Makes the routes, with CORS. */
export function dispatchRoutes(given: DispatchOptions): readonly Route[] {
  const options = { ...given, bodies: given.bodies ?? new BodyBudget() };
  const routes: readonly Route[] = [
    {
      path: LIST_PATH,
      handle: (call) => onlyGet(call.request, () => modelList(call, options)),
    },
    {
      // Names of models may have slashes.
      path: `${LIST_PATH}/*`,
      handle: (call) => onlyGet(call.request, () => oneModel(call, options)),
    },
    ...MODEL_PATHS.map((endpoint): Route => ({
      path: endpoint,
      handle: (call) => {
        const { request, requestId } = call;
        const clientAddress = options.clientAddressOf(call);
        return dispatch({ request, requestId, endpoint, clientAddress }, options);
      },
    })),
  ];
  return routes.map((route) => withCors(route, options.settings));
}

function modelList(call: CallerRequest, options: DispatchOptions): Response {
  const identity = identifyCaller(call, options);
  return Response.json({ object: "list", data: listModels(identity, options.gate) });
}

function oneModel(call: CallerRequest, options: DispatchOptions): Response {
  const identity = identifyCaller(call, options);
  const { catalogue, registry } = options.gate;
  return Response.json(findModel(nameIn(call.request), { identity, catalogue, registry }));
}

function nameIn(request: Request): string {
  const encoded = new URL(request.url).pathname.slice(LIST_PATH.length + 1);
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw new RouterError("invalid_request", "The model's name is not valid percent-encoded UTF-8");
  }
}
