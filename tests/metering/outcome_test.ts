import assert from "node:assert/strict";
import { statusReasonOf, usageOutcomeOf } from "../../src/metering/outcome.ts";

Deno.test.each(
  [
    ["completed", undefined, "completed"],
    ["completed", "max_output_tokens", "completed"],
    ["incomplete", "max_output_tokens", "length"],
    ["incomplete", "content_filter", "completed"],
    ["incomplete", "turn_detected", "completed"],
    ["incomplete", "MAX_OUTPUT_TOKENS", "completed"],
    ["incomplete", ["max_output_tokens"], "completed"],
    ["incomplete", null, "completed"],
    ["incomplete", undefined, "completed"],
    ["cancelled", "turn_detected", "client_cancelled"],
    ["cancelled", "client_cancelled", "client_cancelled"],
    ["cancelled", "max_output_tokens", "client_cancelled"],
    ["cancelled", undefined, "client_cancelled"],
    ["failed", undefined, "upstream_error"],
    ["failed", "max_output_tokens", "upstream_error"],
    [undefined, undefined, "completed"],
    [undefined, "max_output_tokens", "completed"],
    [null, null, "completed"],
    ["in_progress", "max_output_tokens", "completed"],
    ["canceled", undefined, "completed"],
    ["FAILED", undefined, "completed"],
    ["", undefined, "completed"],
    [["failed"], undefined, "completed"],
    [{ status: "failed" }, undefined, "completed"],
    ["__proto__", "__proto__", "completed"],
    ["constructor", "constructor", "completed"],
  ] as const,
)("usageOutcomeOf(%j, %j) is %s", (status, reason, expected) => {
  assert.equal(usageOutcomeOf(status, reason), expected);
});

Deno.test.each(
  [
    ["max_output_tokens", "max_output_tokens"],
    ["content_filter", "content_filter"],
    ["turn_detected", "turn_detected"],
    ["client_cancelled", "client_cancelled"],
    [undefined, "absent"],
    [null, "absent"],
    ["absent", "other"],
    ["other", "other"],
    ["", "other"],
    ["Turn_Detected", "other"],
    ["a secret", "other"],
    ["__proto__", "other"],
    [7, "other"],
    [["turn_detected"], "other"],
    [{}, "other"],
  ] as const,
)("statusReasonOf(%j) is %s", (reason, expected) => {
  assert.equal(statusReasonOf(reason), expected);
});
