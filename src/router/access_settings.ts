/**
 * From the configuration file to who may do what.
 *
 * @module
 */

import { type KeyRateLimit, KeyRing, RateLimiter } from "../auth/mod.ts";
import type { Config } from "../config/mod.ts";
import {
  AllowedHosts,
  compileOrigins,
  type CorsOptions,
  type OriginPolicy,
} from "../origin/mod.ts";

/** The keys of a configuration. */
export function buildKeyRing(config: Config): KeyRing {
  const { mode, api_keys: keys } = config.api_keys;
  const entries = keys.map((key) => ({
    key: key.key,
    keySha256: key.key_sha256,
    id: key.id,
    name: key.name,
    userId: key.user_id,
    organizationId: key.organization_id,
    enabled: key.enabled,
    expiresAtMs: key.expires_at,
    allowedModels: key.allowed_models,
    allowedBackends: key.allowed_backends,
  }));
  return new KeyRing(entries, { mode });
}

/** The limits of a configuration's keys. */
export function keyRateLimits(config: Config): readonly KeyRateLimit[] {
  return config.api_keys.api_keys.flatMap(({ id, rate_limit }) =>
    rate_limit === undefined ? [] : [{ keyId: id, limitPerMinute: rate_limit }]
  );
}

/** The rate limits of a configuration's keys. */
export function buildRateLimiter(config: Config): RateLimiter {
  return new RateLimiter(keyRateLimits(config));
}

/** Which browser pages may open sessions. */
export function buildOriginPolicy(config: Config): OriginPolicy {
  const { enabled, allow_origins } = config.server.cors;
  return { corsEnabled: enabled, matcher: compileOrigins(allow_origins).matcher };
}

/** Which `Host` a request may name. */
export function buildAllowedHosts(config: Config): AllowedHosts {
  return new AllowedHosts(config.server.allowed_hosts);
}

/** How plain HTTP answers look to browser pages. */
export function buildCors(config: Config): CorsOptions {
  const { cors } = config.server;
  return {
    enabled: cors.enabled,
    matcher: compileOrigins(cors.allow_origins).matcher,
    allowMethods: cors.allow_methods,
    allowHeaders: cors.allow_headers,
    exposeHeaders: cors.expose_headers,
    allowCredentials: cors.allow_credentials,
    maxAgeMs: cors.max_age,
  };
}
