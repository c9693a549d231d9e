/**
 * Which changes of a reload have to wait for a restart (spec §2, Reload).
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { listFields } from "./field_list.ts";
import type { Config } from "./schema/config.ts";
import { valueAt } from "./tree.ts";

/** Paths of the fields of class `restart` whose values differ, in the order of the file. */
export function restartFields(running: Config, loaded: Config): readonly string[] {
  return listFields()
    .filter((field) => field.reload === "restart")
    .map((field) => field.path)
    .filter((path) => {
      const keys = path.split(".");
      return !isDeepStrictEqual(valueAt(running, keys), valueAt(loaded, keys));
    });
}
