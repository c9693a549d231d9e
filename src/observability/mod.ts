/**
 * Logs, metrics and traces.
 *
 * @module
 */

export type { ObservedBackend } from "./backend_metrics.ts";
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
export { createTracer, type Tracer, type TraceSpan, UNTRACED } from "./tracing.ts";
export type { CountedUsage, UsageEventResult } from "./usage_metrics.ts";
