/**
 * API keys, what they allow, and how often (spec §3 rows 4, 5 and 8, §10.1). Needs no permission.
 *
 * @module
 */

export * from "./bearer.ts";
export * from "./identity.ts";
export * from "./key_ring.ts";
export * from "./model_access.ts";
export * from "./rate_limit.ts";
