/**
 * Metering: what backends report, as records, figures and deliveries.
 *
 * @module
 */

export type { LatencyPercentiles } from "./latency_window.ts";
export type { SessionMeterContext } from "./realtime_record.ts";
export { MAX_RECENT_RECORDS, RecentRecords } from "./recent_records.ts";
export { Recorder, type RecorderOptions } from "./recorder.ts";
export { type MeteringResult, SessionMeter, type SessionMeterOptions } from "./session_meter.ts";
export { ANONYMOUS_NAME, Statistics, type StatisticsSnapshot } from "./statistics.ts";
export type { TokenTotals, TotalsSnapshot } from "./totals.ts";
export {
  type ReportedTokens,
  tokenCount,
  type TokenFigures,
  tokenFigures,
} from "./usage_numbers.ts";
export type { StatusReason, UsageOutcome, UsageRecord, UsageSink } from "./usage_record.ts";

export {
  type ControlPlane,
  type ControlPlaneObserver,
  type ControlPlaneOptions,
  type ControlPlaneSettings,
  startControlPlane,
} from "./control_plane.ts";
