/**
 * The section `backends` (spec §2, §5).
 *
 * @module
 */

import { duration } from "./conversions.ts";
import { fields, optional, required, section, withDefault } from "./field.ts";
import { headerName, headerValue } from "./headers.ts";
import { modelList } from "./models.ts";
import { credential, modelName, name, url, urlPath } from "./texts.ts";
import { flag, integer, list, oneOf, record } from "./values.ts";

const realtime = section({
  path: optional(urlPath, {
    description:
      "Path of the realtime endpoint instead of the URL's path and realtime.backend_path. " +
      "Absent = those two, joined.",
  }),
  auth: withDefault(oneOf(["bearer", "api-key", "none"]), "bearer", {
    description:
      "How api_key is sent, for sessions, HTTP and health checks: Authorization: Bearer, the " +
      "header api-key, or not at all.",
  }),
}, { description: "Where this backend differs for realtime sessions." });

const healthCheck = section({
  enabled: withDefault(flag(), true, {
    description: "Whether this backend is probed; if not, it counts as routable.",
  }),
  endpoint: optional(urlPath, {
    description: "Path to probe. Absent = health_checks.endpoint.",
  }),
  interval: optional(duration({ positive: true }), {
    description: "Time between two probes. Absent = health_checks.interval.",
    unit: "duration",
  }),
  timeout: optional(duration({ positive: true }), {
    description: "Time that a probe may take. Absent = health_checks.timeout.",
    unit: "duration",
  }),
}, { description: "Where this backend differs from health_checks." });

const backend = fields({
  name: required(name, { description: "Unique name, in metrics and for the x-backend header." }),
  url: required(url(["http", "https", "ws", "wss"], "http://10.0.0.5:8000"), {
    description: "Base URL; may have a path. http and ws are the same, https and wss too.",
  }),
  type: withDefault(oneOf(["openai", "vllm", "ollama", "localai", "generic"]), "generic", {
    description: "Kind of the backend.",
  }),
  api_key: optional(credential, {
    description: "Credential, sent as realtime.auth says. Absent = none.",
    secret: true,
  }),
  org_id: optional(headerValue, {
    description: "Sent as OpenAI-Organization. Absent = not sent.",
  }),
  headers: withDefault(
    record(headerName, headerValue, { allowed: "a mapping of header names to texts" }),
    {},
    {
      description: "More headers to this backend.",
      secret: true,
    },
  ),
  weight: withDefault(integer({ min: 1, max: 1_000_000 }), 1, {
    description: "Share of the requests under WeightedRoundRobin.",
  }),
  models: optional(list(modelName, "a list of model names"), {
    description: "Models that the backend serves. Absent = discovered from its GET /v1/models.",
  }),
  model_configs: withDefault(modelList, [], {
    description: "Models with their metadata; the backend serves their ids too.",
  }),
  realtime,
  health_check: healthCheck,
});

/** The section `backends`. */
export const backends = withDefault(list(backend, "a list of backends"), [], {
  description: "Servers that sessions and requests go to.",
  reload: "gradual",
});
