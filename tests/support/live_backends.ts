/**
 * Backends for tests that need live ones, whatever their room.
 *
 * @module
 */

import type { Backend, BackendConfig } from "../../src/routing/mod.ts";

/** A backend's configuration with everything defaulted but its name. */
export function backendConfig(name: string, changes: Partial<BackendConfig> = {}): BackendConfig {
  return {
    name,
    url: `http://${name}.test:8000`,
    type: "generic",
    headers: {},
    weight: 1,
    modelConfigs: [],
    realtimeAuth: "bearer",
    healthTimeoutMs: 10_000,
    health: {
      enabled: true,
      intervalMs: 30_000,
      unhealthyThreshold: 3,
      healthyThreshold: 2,
      warmupCheckIntervalMs: 1_000,
      maxWarmupDurationMs: 300_000,
    },
    breaker: {
      enabled: true,
      failureThreshold: 5,
      failureRateThreshold: 0.5,
      minimumRequests: 10,
      timeoutMs: 60_000,
      halfOpenMaxRequests: 3,
      halfOpenSuccessThreshold: 2,
    },
    ...changes,
  };
}

/** Opens a backend's circuit by failing until it refuses. */
export function openCircuit(backend: Backend, nowMs: number): void {
  for (let index = 0; index < backend.config.breaker.failureThreshold; index++) {
    backend.breaker.acquire(nowMs)?.failure(nowMs);
  }
}

/** Fails a backend's probes until it is down. */
export function takeDown(backend: Backend, nowMs: number): void {
  for (let index = 0; index < backend.config.health.unhealthyThreshold; index++) {
    backend.health.record({ kind: "failed", reason: "connection refused" }, nowMs);
  }
}
