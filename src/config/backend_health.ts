/**
 * The health check of one backend: its own settings over the global ones (spec §5).
 *
 * @module
 */

import type { BackendConfig, Config } from "./schema/config.ts";

/** How one backend is probed. */
export interface BackendHealthCheck {
  /** False if this backend's check or all checks are off. */
  readonly enabled: boolean;
  /** Path to probe; absent = try /v1/models, /health and /v1/health/ready. */
  readonly endpoint?: string;
  /** Milliseconds between two probes. */
  readonly intervalMs: number;
  /** Milliseconds that a probe may take. */
  readonly timeoutMs: number;
}

/** Resolves the health check of `backend`, which is one of the backends of `config`. */
export function backendHealthCheck(config: Config, backend: BackendConfig): BackendHealthCheck {
  const { health_check: own } = backend;
  const { health_checks: global } = config;
  const endpoint = own.endpoint ?? global.endpoint;
  return {
    enabled: global.enabled && own.enabled,
    ...endpoint === undefined ? {} : { endpoint },
    intervalMs: own.interval ?? global.interval,
    timeoutMs: own.timeout ?? global.timeout,
  };
}
