/**
 * Metering: what backends report, as records, figures and deliveries.
 *
 * @module
 */

export type { StatusReason, UsageOutcome, UsageRecord, UsageSink } from "./usage_record.ts";
