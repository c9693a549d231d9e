/**
 * `POST /admin/reload`: reads the configuration again.
 *
 * @module
 */

import { ConfigError } from "../config/mod.ts";
import { RouterError } from "../http/mod.ts";
import type { AdminEndpoint } from "./admin_route.ts";

/** What a reload did (spec §2, Reload). */
export interface ReloadResult {
  /** What changed at once. */
  readonly applied: readonly string[];
  /** Fields that keep their running value until a restart. */
  readonly waiting_for_restart: readonly string[];
}

/** @param reload Reloads, or rejects with a {@link ConfigError} and changes nothing. */
export function reloadEndpoint(reload: () => Promise<ReloadResult>): AdminEndpoint {
  return {
    path: "/admin/reload",
    method: "POST",
    respond: async () => {
      try {
        const { applied, waiting_for_restart } = await reload();
        return Response.json({ applied, waiting_for_restart });
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        // Its lines name paths and kinds, never a value of the file.
        throw new RouterError("invalid_request", error.message, { cause: error });
      }
    },
  };
}
