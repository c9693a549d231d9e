/**
 * Names that say nothing of what is in a file.
 *
 * @module
 */

import { isCode, type Problem, type SourceFile } from "./source_file.ts";

const BANNED = new Set(["common", "helper", "helpers", "misc", "util", "utils"]);

/** Files and folders with such a name, or with such a word in it. */
export function checkFileNames(files: readonly SourceFile[]): readonly Problem[] {
  return files.filter(({ path }) => isCode(path)).flatMap(({ path }) => {
    const word = path.toLowerCase().split(/[/._-]/).find((part) => BANNED.has(part));
    return word === undefined ? [] : [{ path, line: 1, message: `"${word}" names no concept` }];
  });
}
