/**
 * From the configuration file to who may do what.
 *
 * @module
 */

import { KeyRing, RateLimiter } from "../auth/mod.ts";
import type { Config } from "../config/mod.ts";
import { AllowedHosts, compileOrigins, type OriginPolicy } from "../origin/mod.ts";

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

/** The rate limits of a configuration's keys. */
export function buildRateLimiter(config: Config): RateLimiter {
  return new RateLimiter(
    config.api_keys.api_keys.flatMap(({ id, rate_limit }) =>
      rate_limit === undefined ? [] : [{ keyId: id, limitPerMinute: rate_limit }]
    ),
  );
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
