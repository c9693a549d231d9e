/**
 * The rooms: the folders of `src`, each with one door.
 *
 * @module
 */

import type { Import } from "./imports.ts";
import { importsOf } from "./imports.ts";
import type { Problem, SourceFile } from "./source_file.ts";

/** Every room that there may be. */
export const ROOMS: ReadonlySet<string> = new Set([
  "admin",
  "auth",
  "config",
  "console",
  "dispatch",
  "http",
  "metering",
  "observability",
  "origin",
  "realtime",
  "router",
  "routing",
  "wire",
]);

/**
 * Rooms below the composition, and the others that they may know. All other rooms may know any, but in no
 * circle.
 */
export const LOW_ROOMS: ReadonlyMap<string, readonly string[]> = new Map([
  ["admin", ["auth", "config", "http", "metering", "observability", "origin", "realtime"]],
  ["auth", ["http"]],
  ["config", ["http"]],
  ["console", ["http"]],
  ["dispatch", ["auth", "http", "metering", "observability", "origin", "routing"]],
  ["http", ["wire"]],
  ["metering", ["observability"]],
  ["observability", []],
  ["origin", ["http"]],
  ["realtime", ["auth", "http", "observability", "origin", "routing", "wire"]],
  ["routing", ["http"]],
  ["wire", []],
]);

/** The room that a file belongs to; undefined outside of `src`. */
export function roomOf(path: string): string | undefined {
  const [top, room, ...rest] = path.split("/");
  return top === "src" && rest.length > 0 ? room : undefined;
}

/** Whether a file is the door of a room. */
export function isDoor(path: string): boolean {
  return /^src\/[^/]+\/mod\.ts$/.test(path);
}

/** Unknown rooms, rooms without a door, and files of `src` that are in no room. */
export function checkRooms(files: readonly SourceFile[]): readonly Problem[] {
  const problems: Problem[] = [];
  const paths = new Set(files.map(({ path }) => path));
  const seen = new Set<string>();
  for (const { path } of files.filter((file) => file.path.startsWith("src/"))) {
    const room = roomOf(path);
    if (room === undefined) problems.push({ path, line: 1, message: "is in no room" });
    if (room === undefined || seen.has(room)) continue;
    seen.add(room);
    if (!ROOMS.has(room)) problems.push({ path, line: 1, message: `unknown room src/${room}` });
    if (!paths.has(`src/${room}/mod.ts`)) {
      problems.push({ path, line: 1, message: `room src/${room} has no door mod.ts` });
    }
  }
  return problems;
}

/** Low rooms that know more than they may. */
export function checkLowRooms(files: readonly SourceFile[]): readonly Problem[] {
  return importsOf(files).flatMap((found) => {
    const message = lowRoomFault(found);
    return message === undefined ? [] : [{ path: found.from, line: found.line, message }];
  });
}

function lowRoomFault({ from, to }: Import): string | undefined {
  const room = roomOf(from);
  const other = to === undefined ? undefined : roomOf(to);
  if (room === undefined || other === undefined || room === other) return undefined;
  const allowed = LOW_ROOMS.get(room);
  if (allowed === undefined || allowed.includes(other)) return undefined;
  return `room ${room} may not import room ${other}`;
}
