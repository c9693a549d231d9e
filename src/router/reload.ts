/**
 * Reading the configuration again (spec §2, Reload).
 *
 * @module
 */

import type { ReloadResult } from "../admin/mod.ts";
import { type Config, ConfigError, issueLine } from "../config/mod.ts";
import { logOf } from "../observability/mod.ts";
import type { BackendProber } from "./backend_prober.ts";
import type { RouterConfig, Settings } from "./settings.ts";

/** Where a configuration comes from, and who wants to know of it. */
export interface ReloadOptions {
  /** Reads the configuration again. @default {undefined} there is no reload */
  readonly loadConfig?: () => Promise<RouterConfig>;
  /** Told of a configuration that a reload has brought into force. @default {undefined} */
  readonly onReload?: (config: Config) => Promise<void>;
}

/**
 * Applies what can be applied, and logs what waits for a restart.
 *
 * @throws {ConfigError} When the file is not valid; then nothing changes.
 */
export async function reloadSettings(
  { loadConfig, onReload }: ReloadOptions,
  { settings, prober }: { readonly settings: Settings; readonly prober: BackendProber },
): Promise<ReloadResult> {
  const log = logOf("reload");
  if (loadConfig === undefined) throw new TypeError("this router has nothing to reload from");
  try {
    const { backends, applied, waitingForRestart } = settings.apply(await loadConfig());
    prober.refresh(backends);
    await onReload?.(settings.config);
    for (const field of waitingForRestart) log.warn("waits for a restart", { field });
    log.info("configuration reloaded", {
      backends_added: backends.added.length,
      backends_removed: backends.removed.length,
      waiting_for_restart: waitingForRestart.length,
    });
    return { applied, waiting_for_restart: waitingForRestart };
  } catch (error) {
    const problems = error instanceof ConfigError ? error.issues.map(issueLine) : [String(error)];
    for (const problem of problems) log.error("not reloaded", { problem });
    throw error;
  }
}

/** Makes every call wait for the one before it. */
export function inTurn<T>(run: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(run);
    last = next.catch(() => {});
    return next;
  };
}
