/**
 * From the configuration file to what routing works with.
 *
 * @module
 */

import {
  type BackendConfig as BackendSection,
  backendHealthCheck,
  type Config,
} from "../config/mod.ts";
import type { ModelConfig } from "../config/mod.ts";
import {
  AUDIO,
  type BackendConfig,
  BackendRegistry,
  BUILTIN_MODELS,
  Catalogue,
  type ModelDescription,
} from "../routing/mod.ts";

/** The backends of a configuration. */
export function backendConfigs(config: Config): readonly BackendConfig[] {
  return config.backends.map((backend) => backendConfig(config, backend));
}

/** The catalogue, its layers from the highest to the lowest (spec §4). */
export function buildCatalogue(
  config: Config,
  options: { readonly modelMetadata: readonly ModelConfig[] },
): Catalogue {
  return new Catalogue([
    config.backends.flatMap((backend) => backend.model_configs.map(modelDescription)),
    options.modelMetadata.map(modelDescription),
    BUILTIN_MODELS,
  ]);
}

/**
 * Whether a backend may serve a model that speaks. One that has yet to be asked for its models may.
 */
export function hasAudioModel(
  config: Config,
  options: { readonly modelMetadata: readonly ModelConfig[] },
): boolean {
  const catalogue = buildCatalogue(config, options);
  const registry = new BackendRegistry(backendConfigs(config));
  return config.backends.some(({ models }) => models === undefined) ||
    registry.modelNames.some((name) => catalogue.lookup(name)?.capabilities?.has(AUDIO));
}

function backendConfig(config: Config, backend: BackendSection): BackendConfig {
  const { health_checks: checks, circuit_breaker: breaker } = config;
  const health = backendHealthCheck(config, backend);
  const overrides = breaker.backends[backend.name];
  return {
    name: backend.name,
    url: backend.url,
    type: backend.type,
    apiKey: backend.api_key,
    orgId: backend.org_id,
    headers: backend.headers,
    weight: backend.weight,
    models: backend.models,
    modelConfigs: backend.model_configs.map(modelDescription),
    realtimePath: backend.realtime.path,
    realtimeAuth: backend.realtime.auth,
    healthEndpoint: health.endpoint,
    healthTimeoutMs: health.timeoutMs,
    health: {
      enabled: health.enabled,
      intervalMs: health.intervalMs,
      unhealthyThreshold: checks.unhealthy_threshold,
      healthyThreshold: checks.healthy_threshold,
      warmupCheckIntervalMs: checks.warmup_check_interval,
      maxWarmupDurationMs: checks.max_warmup_duration,
    },
    breaker: {
      enabled: breaker.enabled,
      failureThreshold: overrides?.failure_threshold ?? breaker.failure_threshold,
      failureRateThreshold: breaker.failure_rate_threshold,
      minimumRequests: breaker.minimum_requests,
      timeoutMs: (overrides?.timeout_seconds ?? breaker.timeout_seconds) * 1000,
      halfOpenMaxRequests: breaker.half_open_max_requests,
      halfOpenSuccessThreshold: breaker.half_open_success_threshold,
    },
  };
}

function modelDescription({ id, aliases, metadata }: ModelConfig): ModelDescription {
  const { capabilities, ...others } = metadata;
  return { id, aliases, capabilities, metadata: others };
}
