/**
 * `${VAR}` and `${VAR:-default}` inside string values (spec §2), replaced after parsing, so that a value can
 * never change the structure of the file. Keys are left alone.
 *
 * `:-` means what it means in a shell: the default also replaces an empty variable. `$${` writes a literal
 * `${`; any other `$` stands for itself. What a variable holds is not looked at again.
 *
 * @module
 */

import { type Issue, pathText } from "./issues.ts";

/** Reads an environment variable; `undefined` = not set. May throw an error named `NotCapable`. */
export type GetVariable = (name: string) => string | undefined;

/** What {@link interpolate} answers. */
export interface Interpolated {
  /** The tree with its strings replaced. A string that failed is a placeholder, unlike any other. */
  readonly tree: unknown;
  /** Names of the variables that the tree mentions, set or not, each once. */
  readonly variables: readonly string[];
  readonly issues: readonly Issue[];
}

/** The escape, a good reference, or the beginning of a broken one. */
const REFERENCE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]{0,127})(?::-([^}]*))?\})?/g;

/** Replaces the references in every string of a parsed tree. The tree itself is not changed. */
export function interpolate(tree: unknown, get: GetVariable): Interpolated {
  const variables = new Set<string>();
  const issues: Issue[] = [];

  const replaceIn = (text: string, path: readonly PropertyKey[]): string => {
    let failed = false;
    const fail = (message: string) => {
      failed = true;
      issues.push({ path: pathText(path), message });
      return "";
    };
    const result = text.replace(REFERENCE, (match: string, name?: string, fallback?: string) => {
      if (match === "$${") return "${";
      if (name === undefined) {
        return fail('has a broken reference: write "${NAME}", or "$${" for a literal "${"');
      }
      variables.add(name);
      if (fallback?.includes("${")) return fail(`has a reference inside the default of ${name}`);
      let value: string | undefined;
      try {
        value = get(name);
      } catch (error) {
        // What Deno throws when the variable is not among those of --allow-env.
        if (!(error instanceof Error) || error.name !== "NotCapable") throw error;
        return fail(`environment variable ${name} may not be read: --allow-env does not cover it`);
      }
      if (fallback !== undefined) return value === undefined || value === "" ? fallback : value;
      return value ?? fail(`environment variable ${name} is not set and has no default`);
    });
    return failed ? `unresolved ${pathText(path)}` : result;
  };

  const walk = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof value === "string") return replaceIn(value, path);
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, index]));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, walk(item, [...path, key])]),
    );
  };

  return { tree: walk(tree, []), variables: [...variables], issues };
}
