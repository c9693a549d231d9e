/**
 * What is allowed and still worth a word at start (spec §2).
 *
 * @module
 */

import type { Config } from "./schema/config.ts";

/** One thing that works and may not be meant. */
export interface ConfigWarning {
  /** The field in the file. */
  readonly path: string;
  readonly message: string;
}

/** What {@link configWarnings} cannot see in the configuration itself. */
export interface WarningOptions {
  /** Whether some configured backend may serve a model with the `audio` capability. */
  readonly hasAudioModel: (config: Config) => boolean;
  /** Milliseconds since 1970, for keys that have expired. */
  readonly now: number;
}

/** Every warning for a configuration. */
export function configWarnings(config: Config, options: WarningOptions): readonly ConfigWarning[] {
  return [
    ...realtimeWarnings(config, options),
    ...accessWarnings(config),
    ...keyWarnings(config, options.now),
    ...nameWarnings(config),
  ];
}

function realtimeWarnings(config: Config, options: WarningOptions): readonly ConfigWarning[] {
  const { realtime } = config;
  const warnings: ConfigWarning[] = [];
  if (realtime.idle_timeout === 0 && realtime.max_session_duration === 0) {
    warnings.push({
      path: "realtime.idle_timeout",
      message:
        'idle_timeout "0" together with max_session_duration "0" leaves sessions without any ' +
        "deadline: a client that vanishes without a FIN keeps one of the max_sessions permits and " +
        "a backend session until the operating system's TCP keepalive ends it (often two hours, or " +
        `never), and ${realtime.max_sessions} such clients (max_sessions) stop new sessions`,
    });
  }
  if (realtime.enabled && !options.hasAudioModel(config)) {
    warnings.push({
      path: "realtime.enabled",
      message:
        "no backend has a model with the audio capability, so every session will be refused; " +
        "add one to backends[].models, or give its metadata in backends[].model_configs",
    });
  }
  return warnings;
}

function accessWarnings(config: Config): readonly ConfigWarning[] {
  const { api_keys, server } = config;
  const warnings: ConfigWarning[] = [];
  if (api_keys.mode === "permissive" && server.allowed_hosts.length === 0) {
    warnings.push({
      path: "server.allowed_hosts",
      message: "is empty while api_keys.mode is permissive: a web page whose own name is made to " +
        "resolve to this router (DNS rebinding) can use it; list the names that clients use, or " +
        "set mode to blocking",
    });
  }
  if (api_keys.mode === "blocking" && !api_keys.api_keys.some((key) => key.enabled)) {
    warnings.push({
      path: "api_keys.api_keys",
      message: "has no enabled key while api_keys.mode is blocking: every caller will be refused",
    });
  }
  const { cors } = server;
  if (cors.enabled && cors.allow_credentials && cors.allow_origins.includes("*")) {
    warnings.push({
      path: "server.cors.allow_origins",
      message:
        'has "*" while allow_credentials is true: any web page may act with the visitor\'s ' +
        "credentials; list the origins instead",
    });
  }
  if (cors.allow_origins.includes("null")) {
    warnings.push({
      path: "server.cors.allow_origins",
      message: 'has "null", which is refused even so: it identifies nobody',
    });
  }
  return warnings;
}

function keyWarnings(config: Config, now: number): readonly ConfigWarning[] {
  return config.api_keys.api_keys.flatMap((key) =>
    key.enabled && key.expires_at !== undefined && key.expires_at <= now
      ? [{ path: "api_keys.api_keys", message: `key ${key.id} has expired` }]
      : []
  );
}

/** Names of backends that do not exist: perhaps a slip, perhaps a backend that is added later. */
function nameWarnings(config: Config): readonly ConfigWarning[] {
  const known = new Set(config.backends.map((backend) => backend.name));
  const unknown = (names: readonly string[]) => names.filter((name) => !known.has(name));
  return [
    ...config.api_keys.api_keys.flatMap((key) =>
      unknown(key.allowed_backends).map((name) => ({
        path: "api_keys.api_keys",
        message: `key ${key.id} allows backend ${name}, which does not exist`,
      }))
    ),
    ...unknown(Object.keys(config.circuit_breaker.backends)).map((name) => ({
      path: "circuit_breaker.backends",
      message: `has overrides for backend ${name}, which does not exist`,
    })),
  ];
}
