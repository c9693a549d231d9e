/**
 * The whole configuration file (spec §2) and the type of its value.
 *
 * @module
 */

import type { z } from "zod";
import { admin, console } from "./admin.ts";
import { apiKeys } from "./api_keys.ts";
import { backends } from "./backends.ts";
import { circuitBreaker } from "./circuit_breaker.ts";
import { controlPlane } from "./control_plane.ts";
import { fields, optional, withDefault } from "./field.ts";
import { healthChecks } from "./health_checks.ts";
import { logging, metrics } from "./observability.ts";
import { realtime } from "./realtime.ts";
import { server } from "./server.ts";
import { filePath } from "./texts.ts";
import { timeouts } from "./timeouts.ts";
import { oneOf } from "./values.ts";

const strategies = oneOf([
  "RoundRobin",
  "WeightedRoundRobin",
  "LeastLatency",
  "LeastSessions",
  "ConsistentHash",
  "Random",
]);

/** The schema of the configuration file. Its sections, defaults and notes are the reference. */
export const configSchema = fields({
  server,
  realtime,
  api_keys: apiKeys,
  model_metadata_file: optional(filePath, {
    description: "YAML file with metadata of more models under the key models, relative to this " +
      "file's folder. Absent = none.",
    reload: "immediate",
  }),
  backends,
  selection_strategy: withDefault(strategies, "RoundRobin", {
    description: "How one of several candidates is chosen.",
    reload: "immediate",
  }),
  health_checks: healthChecks,
  circuit_breaker: circuitBreaker,
  timeouts,
  admin,
  metrics,
  control_plane: controlPlane,
  logging,
  console,
});

type DeepReadonly<T> = T extends readonly (infer E)[] ? readonly DeepReadonly<E>[]
  : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
  : T;

/**
 * The effective configuration: every default filled in, deeply frozen, with the key names of the file.
 *
 * Durations are whole milliseconds, at most `MAX_DURATION_MS`, so any of them may be given to a timer as it
 * is; `circuit_breaker.*.timeout_seconds` are seconds, as their name says. `expires_at` is milliseconds since
 * 1970 (UTC). Bind addresses are lists. An optional key is absent when the file does not set it.
 */
export type Config = DeepReadonly<z.output<typeof configSchema>>;

/** One backend of {@link Config}. */
export type BackendConfig = Config["backends"][number];

/** One API key of {@link Config}. */
export type ApiKeyConfig = Config["api_keys"]["api_keys"][number];

/** One model of `model_configs` or of `model_metadata_file`. */
export type ModelConfig = BackendConfig["model_configs"][number];
