/**
 * The sections `metrics` and `logging` (spec §10.2, §13).
 *
 * @module
 */

import { section, withDefault } from "./field.ts";
import { credentialOrNone, urlPath } from "./texts.ts";
import { flag, oneOf } from "./values.ts";

/** The section `metrics`. */
export const metrics = section({
  enabled: withDefault(flag(), true, { description: "Whether metrics are served." }),
  endpoint: withDefault(urlPath, "/metrics", { description: "Path of the metrics." }),
  auth_token: withDefault(credentialOrNone, "", {
    description: "Bearer token that a scraper must send. Empty = none.",
    secret: true,
  }),
}, { description: "Metrics for Prometheus.", reload: "restart" });

/** The section `logging`. */
export const logging = section({
  level: withDefault(oneOf(["trace", "debug", "info", "warn", "error", "fatal"]), "info", {
    description: "The least severe level that is written.",
  }),
  format: withDefault(oneOf(["json", "pretty"]), "json", {
    description: "json: one object a line; pretty: for people.",
  }),
}, { description: "The log on standard output.", reload: "immediate" });
