/**
 * The composition: a router made of a configuration.
 *
 * @module
 */

export { isHealthy } from "./healthcheck.ts";
export { type Router, type RouterOptions, startRouter } from "./router.ts";
export { hasAudioModel } from "./routing_settings.ts";
export { readTlsIdentity } from "./tls_files.ts";
export { runtimeProblem, startPermissions, startWarnings, trustProblem } from "./start_checks.ts";
