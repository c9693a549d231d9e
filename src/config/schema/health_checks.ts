/**
 * The section `health_checks` (spec §5).
 *
 * @module
 */

import { duration } from "./conversions.ts";
import { optional, section, withDefault } from "./field.ts";
import { urlPath } from "./texts.ts";
import { flag, integer } from "./values.ts";

/** The section `health_checks`. */
export const healthChecks = section({
  enabled: withDefault(flag(), true, { description: "Whether backends are probed at all." }),
  interval: withDefault(duration({ positive: true }), "30s", {
    description: "Time between two probes of a backend.",
    unit: "duration",
  }),
  timeout: withDefault(duration({ positive: true }), "10s", {
    description: "Time that a probe may take.",
    unit: "duration",
  }),
  unhealthy_threshold: withDefault(integer({ min: 1, max: 1_000 }), 3, {
    description: "Failures in a row until a backend is down.",
    unit: "probes",
  }),
  healthy_threshold: withDefault(integer({ min: 1, max: 1_000 }), 2, {
    description: "Successes in a row until a backend that was down is ready.",
    unit: "probes",
  }),
  endpoint: optional(urlPath, {
    description:
      "Path to probe. Absent = /v1/models and, where that answers 404 or 405, /health, " +
      "then /v1/health/ready.",
  }),
  warmup_check_interval: withDefault(duration({ positive: true }), "1s", {
    description: "Time between two probes of a backend that answers 503.",
    unit: "duration",
  }),
  max_warmup_duration: withDefault(duration({ positive: true }), "300s", {
    description: "How long a backend may answer 503 until it is down.",
    unit: "duration",
  }),
}, { description: "Probes of the backends.", reload: "gradual" });
