/**
 * Which changes of a reload have to wait for a restart (spec §2, Reload).
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import { listFields } from "./field_list.ts";
import type { Config } from "./schema/config.ts";
import type { ReloadClass } from "./schema/field.ts";
import { valueAt } from "./tree.ts";

/** Paths of the fields of class `restart` whose values differ, in the order of the file. */
export function restartFields(running: Config, loaded: Config): readonly string[] {
  return changedFields((reload) => reload === "restart", { running, loaded });
}

/** Paths of the fields whose new values a reload brings into force, in the order of the file. */
export function appliedFields(running: Config, loaded: Config): readonly string[] {
  return changedFields((reload) => reload !== "restart", { running, loaded });
}

function changedFields(
  takes: (reload: ReloadClass) => boolean,
  { running, loaded }: { readonly running: Config; readonly loaded: Config },
): readonly string[] {
  const paths = listFields().filter((field) => takes(field.reload)).map((field) =>
    whole(field.path)
  );
  return [...new Set(paths)].filter((path) => {
    const keys = path.split(".");
    return !isDeepStrictEqual(valueAt(running, keys), valueAt(loaded, keys));
  });
}

/** A list, or a mapping with names of its own, is compared as a whole: its entries come and go. */
function whole(path: string): string {
  return path.split(/\[\]|\.\*/, 1)[0] ?? path;
}
