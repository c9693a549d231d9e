/**
 * The one way for a test to start a router within its own process: with all that it logs looked through.
 *
 * @module
 */

import type { Config } from "../../src/config/mod.ts";
import { type Router, type RouterOptions, startRouter } from "../../src/router/mod.ts";
import { secretsIn } from "./config_secrets.ts";
import { captureLogs, neverToBeLogged } from "./log_watch.ts";

/** Starts a router as {@link startRouter} does. */
export async function startWatchedRouter(config: Config, options: RouterOptions): Promise<Router> {
  await captureLogs();
  neverToBeLogged(...secretsIn(config));
  const { loadConfig } = options;
  if (loadConfig === undefined) return await startRouter(config, options);
  return await startRouter(config, {
    ...options,
    loadConfig: async () => {
      const loaded = await loadConfig();
      neverToBeLogged(...secretsIn(loaded.config));
      return loaded;
    },
  });
}
