/**
 * The layout of the repository: what ARCHITECTURE.md says of rooms, doors and directions, checked.
 *
 * @module
 */

import { checkBoundaries } from "./boundaries.ts";
import { checkFileCycles, checkRoomCycles } from "./cycles.ts";
import { checkFileNames } from "./file_names.ts";
import { checkFileSizes } from "./file_size.ts";
import { checkImportMap, checkPackages } from "./packages.ts";
import { checkParameters } from "./parameters.ts";
import { checkPrivateText } from "./private_text.ts";
import { checkProcessAccess } from "./process_access.ts";
import { checkLowRooms, checkRooms } from "./rooms.ts";
import type { Check, Problem, SourceFile } from "./source_file.ts";
import { checkWatchedLogs } from "./watched_logs.ts";

export type { Problem, SourceFile } from "./source_file.ts";
export { readTree } from "./tree.ts";

const CHECKS: readonly Check[] = [
  checkRooms,
  checkLowRooms,
  checkBoundaries,
  checkRoomCycles,
  checkFileCycles,
  checkPackages,
  checkImportMap,
  checkFileSizes,
  checkFileNames,
  checkParameters,
  checkProcessAccess,
  checkPrivateText,
  checkWatchedLogs,
];

/** Every problem of a set of files, ordered by place. */
export function checkLayout(files: readonly SourceFile[]): readonly Problem[] {
  return CHECKS.flatMap((check) => check(files)).sort((a, b) =>
    a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1
  );
}

/** A problem as one line: `path:line message`. */
export function problemLine({ path, line, message, level }: Problem): string {
  return `${path}:${line} ${level === "warning" ? "warning: " : ""}${message}`;
}
