/**
 * What can be said of a configuration before anything listens.
 *
 * @module
 */

import {
  type ConfigWarning,
  configWarnings,
  type LoadedConfig,
  permissionFlags,
  requiredPermissions,
} from "../config/mod.ts";
import { fixedSocketPaths, PLACEHOLDER } from "../wire/mod.ts";
import { hasAudioModel } from "./routing_settings.ts";

/** Every warning for a configuration (spec §2). */
export function startWarnings(
  { config, modelMetadata }: LoadedConfig,
  options: { readonly unixNowMs: number },
): readonly ConfigWarning[] {
  return configWarnings(config, {
    hasAudioModel: () => hasAudioModel(config, { modelMetadata }),
    now: options.unixNowMs,
  });
}

/**
 * The exact Deno flags that a configuration needs (spec §14 `--print-permissions`).
 *
 * @param options `variables`: those that the program reads by itself.
 */
export function startPermissions(
  { config, files, variables }: LoadedConfig,
  options: { readonly variables: readonly string[] },
): readonly string[] {
  return permissionFlags(requiredPermissions(config, {
    configPaths: files,
    variables,
    env: options.variables,
    net: [
      PLACEHOLDER,
      ...fixedSocketPaths(config.server.runtime_dir).map((path) => `unix:${path}`),
    ],
  }));
}

/**
 * Why a start must fail: a backend or the hub uses TLS while the runtime does not look into the operating system's
 * trust store (spec §5).
 *
 * @param caStores The environment's `DENO_TLS_CA_STORE`.
 */
export function trustProblem(
  { config }: LoadedConfig,
  caStores: string | undefined,
): string | undefined {
  if ((caStores ?? "").split(",").some((store) => store.trim() === "system")) return undefined;
  const { backends, control_plane: hub } = config;
  const backend = backends.find(({ url }) => usesTls(url));
  const who = backend !== undefined
    ? `backend ${backend.name}`
    : hub.enabled && usesTls(hub.url ?? "")
    ? "control_plane.url"
    : undefined;
  if (who === undefined) return undefined;
  return `${who} uses TLS, so DENO_TLS_CA_STORE=system must be set: ` +
    "without it the operating system's trust store is not used";
}

function usesTls(url: string): boolean {
  return /^(https|wss):/i.test(url);
}

/** The oldest Deno whose sockets do what the wire layer relies on. */
const MIN_DENO = [2, 9] as const;

/** Why a start must fail: the runtime is older than what was measured. */
export function runtimeProblem(denoVersion: string): string | undefined {
  const [major = 0, minor = 0] = denoVersion.split(".").map(Number);
  const [minMajor, minMinor] = MIN_DENO;
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return undefined;
  return `Deno ${minMajor}.${minMinor} or newer is needed, this is ${denoVersion}`;
}
