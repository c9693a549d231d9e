/**
 * Who may import what: rooms only through their doors, and never against the direction
 * `tests, bench → demo → src`.
 *
 * @module
 */

import { importsOf } from "./imports.ts";
import { isDoor, roomOf } from "./rooms.ts";
import type { Problem, SourceFile } from "./source_file.ts";

/** Imports that go past a door or in the wrong direction. */
export function checkBoundaries(files: readonly SourceFile[]): readonly Problem[] {
  return importsOf(files).flatMap(({ from, to, line }) => {
    const message = to === undefined ? undefined : faultOf(from, to);
    return message === undefined ? [] : [{ path: from, line, message }];
  });
}

/** Why `from` may not import `to`; undefined when it may. */
function faultOf(from: string, to: string): string | undefined {
  const inFolder = (...folders: string[]) => folders.some((name) => from.startsWith(`${name}/`));
  switch (to.split("/", 1)[0]) {
    case "main.ts":
      return "nothing may import main.ts";
    case "src":
      return deepImport(from, to);
    case "demo":
      if (inFolder("demo", "tests/demo")) return undefined;
      if (!inFolder("tests", "bench")) return "only tests and benchmarks may import the demo";
      return to === "demo/mod.ts" ? undefined : "import the demo through demo/mod.ts";
    case "tests":
      if (to.startsWith("tests/support/") && inFolder("tests", "bench")) return undefined;
      return inFolder(to.split("/", 2).join("/"))
        ? undefined
        : "only tests of the same folder may import this; what several share is in tests/support";
    case "bench":
      return inFolder("bench", "tests/bench") ? undefined : "nothing may import benchmarks";
    case "tools":
      // Documents say what the tools check and write; results of clients are what a tool writes of; a
      // browser loads what they build.
      return inFolder("tools", "tests/tools", "tests/docs", "tests/clients", "tests/browser")
        ? undefined
        : "nothing may import tools";
    default:
      return undefined;
  }
}

/** Tests may look into the room that they mirror. */
function deepImport(from: string, to: string): string | undefined {
  const room = roomOf(to);
  if (room === undefined || isDoor(to)) return undefined;
  if (roomOf(from) === room || from.startsWith(`tests/${room}/`)) return undefined;
  return `deep import: use the door src/${room}/mod.ts`;
}
