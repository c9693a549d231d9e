/**
 * Trees in memory, written as a mapping from path to text.
 *
 * @module
 */

import type { SourceFile } from "../../../tools/layout/mod.ts";

/** One case of a table: a tree and the problems that a check finds in it, as `path:line`. */
export interface LayoutCase {
  readonly name: string;
  readonly tree: Readonly<Record<string, string>>;
  readonly found: readonly string[];
}

/** The files of a tree. */
export function treeOf(tree: Readonly<Record<string, string>>): readonly SourceFile[] {
  return Object.entries(tree).map(([path, text]) => ({ path, text }));
}

/** Where problems are: `path:line`. */
export function placesOf(
  problems: readonly { readonly path: string; readonly line: number }[],
): readonly string[] {
  return problems.map(({ path, line }) => `${path}:${line}`);
}

/** An import statement of that file. */
export function imports(specifier: string): string {
  return `import { a } from "${specifier}";\n`;
}
