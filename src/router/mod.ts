/**
 * The composition: a router made of a configuration.
 *
 * @module
 */

export { type Router, type RouterOptions, startRouter } from "./router.ts";
export { isHealthy } from "./healthcheck.ts";
export { hasAudioModel } from "./routing_settings.ts";
