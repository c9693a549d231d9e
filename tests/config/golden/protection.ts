/** Golden cases of `health_checks`, `circuit_breaker` and `timeouts`. @module */

import { count, flag, type GoldenCase, positive, urlPath } from "./case.ts";

export const protectionCases: readonly GoldenCase[] = [
  flag("health_checks.enabled", false),
  positive("health_checks.interval"),
  positive("health_checks.timeout"),
  count("health_checks.unhealthy_threshold", 1000),
  count("health_checks.healthy_threshold", 1000),
  urlPath("health_checks.endpoint"),
  positive("health_checks.warmup_check_interval"),
  positive("health_checks.max_warmup_duration"),
  flag("circuit_breaker.enabled", false),
  count("circuit_breaker.failure_threshold", 1_000_000),
  {
    field: "circuit_breaker.failure_rate_threshold",
    valid: [1, 1],
    invalid: [1.5, "must be a number above 0 and at most 1; found 1.5"],
  },
  count("circuit_breaker.minimum_requests", 1_000_000),
  count("circuit_breaker.timeout_seconds", 2_147_483),
  count("circuit_breaker.half_open_max_requests", 1_000_000),
  count("circuit_breaker.half_open_success_threshold", 1_000_000),
  {
    field: "circuit_breaker.failure_status_codes",
    valid: [[429, 503], [429, 503]],
    invalid: [[42], "must be a whole number from 100 to 599; found 42"],
    at: "circuit_breaker.failure_status_codes[0]",
  },
  count("circuit_breaker.backends.*.failure_threshold", 1_000_000),
  count("circuit_breaker.backends.*.timeout_seconds", 2_147_483),
  positive("timeouts.request.standard.total"),
  positive("timeouts.request.streaming.first_byte"),
  positive("timeouts.request.streaming.total"),
  {
    field: "timeouts.limits",
    valid: [{ anything: "5m" }, {}],
    invalid: ["5m", "must be a mapping; found a different string"],
  },
];
