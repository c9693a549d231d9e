/**
 * Who may ask: browser origins, CORS from the same matcher, and the names this server answers to
 * (spec §7). Needs no permission.
 *
 * @module
 */

export * from "./allowed_hosts.ts";
export * from "./authority.ts";
export * from "./cors.ts";
export * from "./origin.ts";
export * from "./pattern.ts";
export * from "./policy.ts";
