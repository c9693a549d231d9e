/**
 * The command line and the environment are read in one place and handed on from there.
 *
 * @module
 */

import { isCode, lineAt, type Problem, type SourceFile, withoutComments } from "./source_file.ts";

const ACCESS = /\b(?:Deno\.(?:env|args)|process\.(?:env|argv))\b/g;
/** Programs, and code that only runs under a test or benchmark runner. */
const ALLOWED = /^(?:main\.ts$|demo\/main\.ts$|tools\/\w+\.ts$|tests\/|bench\/)/;

/** Files that read them and are no program. */
export function checkProcessAccess(files: readonly SourceFile[]): readonly Problem[] {
  const bound = files.filter(({ path }) => isCode(path) && !ALLOWED.test(path));
  return bound.flatMap(({ path, text }) => {
    const code = withoutComments(text);
    return [...code.matchAll(ACCESS)].map((match) => ({
      path,
      line: lineAt(code, match.index),
      message: `only programs may use ${match[0]}: take the value as a parameter`,
    }));
  });
}
