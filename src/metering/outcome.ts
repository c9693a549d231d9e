/**
 * How a response ended, from what its backend wrote (the tables of spec §8).
 *
 * @module
 */

import type { StatusReason, UsageOutcome } from "./usage_record.ts";

/** The outcome for a `response.status` and a `status_details.reason`, of whatever type they are. */
export function usageOutcomeOf(status: unknown, reason: unknown): UsageOutcome {
  switch (status) {
    case "incomplete":
      return reason === "max_output_tokens" ? "length" : "completed";
    case "cancelled":
      return "client_cancelled";
    case "failed":
      return "upstream_error";
    default:
      return "completed";
  }
}

/**
 * The reason out of the closed set: `absent` when the backend gave none (or null), `other` for all that
 * the set does not name.
 */
export function statusReasonOf(reason: unknown): StatusReason {
  switch (reason) {
    case "max_output_tokens":
    case "content_filter":
    case "turn_detected":
    case "client_cancelled":
      return reason;
    case undefined:
    case null:
      return "absent";
    default:
      return "other";
  }
}
