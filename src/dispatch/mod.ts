/**
 * Plain HTTP requests to models: the routes, the way to a backend that answers, and what it reports
 * (spec §11).
 *
 * @module
 */

export { type CorsRouteOptions, withCors } from "./cors_route.ts";
export type {
  DispatchGate,
  DispatchParts,
  DispatchSettings,
  DispatchTimeouts,
} from "./dispatch.ts";
export { type DispatchOptions, dispatchRoutes } from "./dispatch_routes.ts";
export { MAX_BODY_BYTES } from "./read_body.ts";
export {
  type AskBackend,
  Upstream,
  type UpstreamOptions,
  type UpstreamRequest,
} from "./upstream.ts";
