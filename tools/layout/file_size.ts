/**
 * How long a code file may be.
 *
 * @module
 */

import { isCode, type Problem, type SourceFile } from "./source_file.ts";

const WARN_LINES = 300;
const MAX_LINES = 400;

/** Files over 300 lines are warned of, files over 400 refused. */
export function checkFileSizes(files: readonly SourceFile[]): readonly Problem[] {
  return files.filter(({ path }) => isCode(path)).flatMap(({ path, text }): Problem[] => {
    const lines = text.replace(/\n$/, "").split("\n").length;
    if (lines <= WARN_LINES) return [];
    return lines > MAX_LINES
      ? [{ path, line: MAX_LINES + 1, message: `has ${lines} lines, ${MAX_LINES} are allowed` }]
      : [{ path, line: WARN_LINES + 1, message: `has ${lines} lines`, level: "warning" }];
  });
}
