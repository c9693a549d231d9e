/**
 * A parsed file whose shape is not known yet, read without assumptions.
 *
 * @module
 */

/** A mapping of the file. */
export type Mapping = Readonly<Record<string, unknown>>;

/** Whether a value of the file is a mapping. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of keys and indexes, or `undefined`. */
export function valueAt(tree: unknown, path: readonly (string | number)[]): unknown {
  let value = tree;
  for (const key of path) {
    if (Array.isArray(value) && typeof key === "number") value = value[key];
    else if (isMapping(value) && typeof key === "string" && Object.hasOwn(value, key)) {
      value = value[key];
    } else return undefined;
  }
  return value;
}

/** The list at a path; empty if there is none. */
export function listAt(tree: unknown, path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(tree, path);
  return Array.isArray(value) ? value : [];
}

/** The string at a path, or `undefined`. */
export function textAt(tree: unknown, path: readonly (string | number)[]): string | undefined {
  const value = valueAt(tree, path);
  return typeof value === "string" ? value : undefined;
}
