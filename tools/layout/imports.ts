/**
 * What a file imports.
 *
 * @module
 */

import { isCode, lineAt, type SourceFile, withoutComments } from "./source_file.ts";

/** One import or re-export, of values or of types. */
export interface Import {
  /** The path of the importing file. */
  readonly from: string;
  readonly line: number;
  /** What stands between the quotes. */
  readonly specifier: string;
  /** The imported file's path; undefined for packages and addresses. */
  readonly to: string | undefined;
}

/** Statements begin their line, because the code is formatted; samples inside strings do not. */
const STATEMENT = /^(?:import|export)\s+(?:[\w$*{},\s]+?\sfrom\s+)?"([^"\n]+)"/gm;
const CALL = /\bimport\(\s*"([^"\n]+)"/g;

/** All imports of all code files. */
export function importsOf(files: readonly SourceFile[]): readonly Import[] {
  return files.filter(({ path }) => isCode(path)).flatMap(importsOfFile);
}

function importsOfFile({ path, text }: SourceFile): readonly Import[] {
  const code = withoutComments(text);
  return [...code.matchAll(STATEMENT), ...code.matchAll(CALL)].map((match) => {
    const specifier = match[1] ?? "";
    const end = match.index + match[0].length;
    return { from: path, line: lineAt(code, end), specifier, to: target(path, specifier) };
  });
}

function target(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}
