/**
 * What requests are checked against, made of the configuration, and made anew by a reload (spec §2).
 *
 * Everything that takes effect at once is read from here at each request. What waits for a restart keeps
 * its running value; running sessions keep what they began with.
 *
 * @module
 */

import type { KeyRing, RateLimiter } from "../auth/mod.ts";
import { appliedFields, type Config, type ModelConfig, restartFields } from "../config/mod.ts";
import type { DispatchTimeouts } from "../dispatch/mod.ts";
import type { AllowedHosts, CorsOptions, OriginPolicy } from "../origin/mod.ts";
import {
  BackendRegistry,
  type Catalogue,
  createStrategy,
  type RegistryChange,
  type Strategy,
} from "../routing/mod.ts";
import {
  buildAllowedHosts,
  buildCors,
  buildKeyRing,
  buildOriginPolicy,
  buildRateLimiter,
  keyRateLimits,
} from "./access_settings.ts";
import { backendConfigs, buildCatalogue } from "./routing_settings.ts";

/** A configuration with the models of its metadata file. */
export interface RouterConfig {
  readonly config: Config;
  /** Entries of `model_metadata_file`. */
  readonly modelMetadata: readonly ModelConfig[];
}

/** What a reload did. */
export interface Applied {
  /** Backends that came and went. */
  readonly backends: RegistryChange;
  /** Fields whose new values are in force. */
  readonly applied: readonly string[];
  /** Fields whose new values wait for a restart. */
  readonly waitingForRestart: readonly string[];
}

/** See the module. */
export class Settings {
  readonly registry: BackendRegistry;
  readonly rateLimiter: RateLimiter;
  #config: Config;
  #keyRing: KeyRing;
  #originPolicy: OriginPolicy;
  #allowedHosts: AllowedHosts;
  #cors: CorsOptions;
  #catalogue: Catalogue;
  #strategy: Strategy;
  #failureStatusCodes: ReadonlySet<number>;

  constructor(source: RouterConfig) {
    const { config } = source;
    this.registry = new BackendRegistry(backendConfigs(config));
    this.rateLimiter = buildRateLimiter(config);
    this.#config = config;
    this.#keyRing = buildKeyRing(config);
    this.#originPolicy = buildOriginPolicy(config);
    this.#allowedHosts = buildAllowedHosts(config);
    this.#cors = buildCors(config);
    this.#catalogue = buildCatalogue(config, source);
    this.#strategy = strategyOf(config);
    this.#failureStatusCodes = new Set(config.circuit_breaker.failure_status_codes);
  }

  /** The configuration in force: what waits for a restart has its running value. */
  get config(): Config {
    return this.#config;
  }

  get keyRing(): KeyRing {
    return this.#keyRing;
  }

  get originPolicy(): OriginPolicy {
    return this.#originPolicy;
  }

  get allowedHosts(): AllowedHosts {
    return this.#allowedHosts;
  }

  get cors(): CorsOptions {
    return this.#cors;
  }

  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  get strategy(): Strategy {
    return this.#strategy;
  }

  /** `circuit_breaker.failure_status_codes`. */
  get failureStatusCodes(): ReadonlySet<number> {
    return this.#failureStatusCodes;
  }

  /** The section `timeouts`. */
  get timeouts(): DispatchTimeouts {
    const { standard, streaming } = this.#config.timeouts.request;
    return {
      standardTotalMs: standard.total,
      firstByteMs: streaming.first_byte,
      streamingTotalMs: streaming.total,
    };
  }

  /** Takes a new configuration in. Everything is made before anything is changed. */
  apply(source: RouterConfig): Applied {
    const { config } = source;
    const applied = appliedFields(this.#config, config);
    const waitingForRestart = restartFields(this.#config, config);
    const keyRing = buildKeyRing(config);
    const catalogue = buildCatalogue(config, source);
    const originPolicy = buildOriginPolicy(config);
    const allowedHosts = buildAllowedHosts(config);
    const cors = buildCors(config);
    const strategy = config.selection_strategy === this.#config.selection_strategy
      ? this.#strategy
      : strategyOf(config);
    const limits = keyRateLimits(config);
    const backends = this.registry.apply(backendConfigs(config));
    this.rateLimiter.configure(limits);
    this.#keyRing = keyRing;
    this.#catalogue = catalogue;
    this.#originPolicy = originPolicy;
    this.#allowedHosts = allowedHosts;
    this.#cors = cors;
    this.#strategy = strategy;
    this.#failureStatusCodes = new Set(config.circuit_breaker.failure_status_codes);
    this.#config = inForce(this.#config, config);
    return { backends, applied, waitingForRestart };
  }
}

function strategyOf(config: Config): Strategy {
  return createStrategy(config.selection_strategy, { random: Math.random });
}

/** The loaded configuration with the running values of what waits for a restart. */
function inForce(running: Config, loaded: Config): Config {
  const { bind_address, runtime_dir } = running.server;
  const { tls: _loadedTls, ...server } = loaded.server;
  return {
    ...loaded,
    server: {
      ...server,
      bind_address,
      runtime_dir,
      ...running.server.tls === undefined ? {} : { tls: running.server.tls },
    },
    realtime: running.realtime,
    admin: { ...loaded.admin, bind_address: running.admin.bind_address },
    metrics: running.metrics,
    control_plane: running.control_plane,
    console: running.console,
  };
}
