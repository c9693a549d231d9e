/**
 * Which models a key may ask for (spec §3 row 8).
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import type { Identity } from "./identity.ts";

/**
 * Checks the name exactly as the client sent it (decoded, case-sensitive) and before any alias is
 * resolved, so that an alias of a model that the key may not use is refused as well.
 *
 * @throws {RouterError} `model_not_allowed`.
 */
export function checkModelAccess(identity: Pick<Identity, "allowedModels">, model: string): void {
  if (identity.allowedModels === null || identity.allowedModels.has(model)) return;
  throw new RouterError("model_not_allowed", "This API key may not use the requested model", {
    param: "model",
  });
}
