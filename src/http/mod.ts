/**
 * HTTP: the application, its probes, and the one table of errors.
 *
 * @module
 */

export { type App, type AppObserver, createApp, type Route, type RouteHandler } from "./app.ts";
export { errorResponse, rawErrorResponse, toRouterError } from "./error_response.ts";
export {
  ERROR_ANSWERS,
  type ErrorBody,
  errorBody,
  type ErrorCode,
  type ErrorSource,
  type ErrorType,
  RouterError,
  type RouterErrorOptions,
} from "./errors.ts";
export { metricsRoute } from "./metrics_route.ts";
export { onlyGet, probeRoutes } from "./probes.ts";
export { httpRequestId } from "./request_id.ts";
