/**
 * Where packages come from and which files may use some of them, so that each can be replaced in one place.
 *
 * @module
 */

import { importsOf } from "./imports.ts";
import { lineAt, type Problem, type SourceFile } from "./source_file.ts";

/** Packages that only some files may import, by the beginning of their paths. */
const HOMES: ReadonlyMap<string, string> = new Map([
  ["js-yaml", "src/config/yaml.ts"],
  ["hono", "src/http/"],
  ["prom-client", "src/observability/"],
  ["node:sqlite", "src/metering/"],
  ["preact", "src/console/page/"],
]);

const ADDRESS = /^(?:jsr|npm|https?|file|data):/;

/** Packages outside of their homes, and imports that bypass the import map. */
export function checkPackages(files: readonly SourceFile[]): readonly Problem[] {
  return importsOf(files).flatMap(({ from, line, specifier }) => {
    const message = faultOf(from, specifier);
    return message === undefined ? [] : [{ path: from, line, message }];
  });
}

/** Entries of the import map that are no npm packages. */
export function checkImportMap(files: readonly SourceFile[]): readonly Problem[] {
  return files.filter(({ path }) => path === "deno.json").flatMap(({ path, text }) =>
    [...text.matchAll(/"(?:jsr|https?):/g)].map(({ index }) => ({
      path,
      line: lineAt(text, index),
      message: "packages come from npm only",
    }))
  );
}

function faultOf(from: string, specifier: string): string | undefined {
  if (ADDRESS.test(specifier)) {
    return `import ${specifier} by its name in the import map of deno.json`;
  }
  for (const [name, home] of HOMES) {
    const isPackage = specifier === name || specifier.startsWith(`${name}/`);
    if (!isPackage || from.startsWith(home)) continue;
    // A test may look into what the program has written.
    const isTest = name.startsWith("node:") && from.startsWith("tests/");
    if (!isTest) return `only ${home} may import ${name}`;
  }
  return undefined;
}
