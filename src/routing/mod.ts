/**
 * From a requested model to the backend that serves it: names, catalogue, candidates, health, circuits,
 * strategies (spec §4 and §5). Pure: needs no permission. Even probes go through a `fetch` and a clock
 * that the prober is given.
 *
 * @module
 */

export * from "./backend.ts";
export * from "./backend_config.ts";
export * from "./backend_headers.ts";
export * from "./backend_models.ts";
export * from "./backend_url.ts";
export * from "./breaker.ts";
export * from "./builtin_models.ts";
export * from "./catalogue.ts";
export * from "./choose.ts";
export * from "./health.ts";
export * from "./latency_average.ts";
export * from "./model_entry.ts";
export * from "./model_parameter.ts";
export * from "./names.ts";
export * from "./probe_options.ts";
export * from "./prober.ts";
export * from "./registry.ts";
export * from "./resolve.ts";
export * from "./shown_name.ts";
export * from "./strategies.ts";
