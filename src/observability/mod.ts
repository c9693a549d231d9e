/**
 * Logs and metrics.
 *
 * @module
 */

export {
  endLogging,
  type Log,
  type LogFields,
  type LoggingOptions,
  type LogLevel,
  logOf,
  setUpLogging,
} from "./log.ts";
export { Metrics, type RenderedMetrics } from "./metrics.ts";
