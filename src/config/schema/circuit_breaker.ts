/**
 * The section `circuit_breaker` (spec §5).
 *
 * @module
 */

import { fields, optional, section, withDefault } from "./field.ts";
import { name } from "./texts.ts";
import { decimal, flag, integer, list, record } from "./values.ts";

const failures = () => integer({ min: 1, max: 1_000_000 });
/** At most what a runtime timer holds, as for durations. */
const seconds = () => integer({ min: 1, max: 2_147_483 });

const overrides = fields({
  failure_threshold: optional(failures(), {
    description: "Instead of circuit_breaker.failure_threshold. Absent = that one.",
    unit: "failures",
  }),
  timeout_seconds: optional(seconds(), {
    description: "Instead of circuit_breaker.timeout_seconds. Absent = that one.",
    unit: "seconds",
  }),
});

/** The section `circuit_breaker`. */
export const circuitBreaker = section({
  enabled: withDefault(flag(), true, { description: "Whether failing backends are left alone." }),
  failure_threshold: withDefault(failures(), 5, {
    description: "Consecutive failures that open a circuit.",
    unit: "failures",
  }),
  failure_rate_threshold: withDefault(
    decimal("a number above 0 and at most 1", (value) => value > 0 && value <= 1),
    0.5,
    {
      description: "Share of failures that opens a circuit, once minimum_requests were seen in " +
        "the rolling window of 60 s.",
    },
  ),
  minimum_requests: withDefault(failures(), 10, {
    description: "Requests in the window before the failure rate counts.",
    unit: "requests",
  }),
  timeout_seconds: withDefault(seconds(), 60, {
    description: "How long an open circuit refuses before it is half-open.",
    unit: "seconds",
  }),
  half_open_max_requests: withDefault(failures(), 3, {
    description: "Requests at a time that a half-open circuit admits.",
    unit: "requests",
  }),
  half_open_success_threshold: withDefault(failures(), 2, {
    description: "Successes that close a half-open circuit.",
    unit: "requests",
  }),
  failure_status_codes: withDefault(
    list(integer({ min: 100, max: 599 }), "a list of HTTP statuses"),
    [500, 502, 503, 504],
    { description: "HTTP statuses that count as failures. Realtime counts every answer but 101." },
  ),
  backends: withDefault(
    record(name, overrides, { allowed: "a mapping of backend names to overrides" }),
    {},
    {
      description: "Overrides by backend name.",
    },
  ),
}, { description: "One circuit per backend, for sessions and requests.", reload: "immediate" });
