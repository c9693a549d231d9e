/**
 * Import cycles, between rooms and between files. Imports of types count like those of values: two rooms
 * that know each other's types cannot be understood one without the other.
 *
 * @module
 */

import { type Import, importsOf } from "./imports.ts";
import { roomOf } from "./rooms.ts";
import type { Problem, SourceFile } from "./source_file.ts";

/** For every node the nodes that it imports, each with one import that does so. */
type Graph = ReadonlyMap<string, ReadonlyMap<string, Import>>;

/** Cycles between rooms. */
export function checkRoomCycles(files: readonly SourceFile[]): readonly Problem[] {
  return cyclesOf(graphOf(importsOf(files), roomOf), "rooms");
}

/** Cycles between files. */
export function checkFileCycles(files: readonly SourceFile[]): readonly Problem[] {
  return cyclesOf(graphOf(importsOf(files), (path) => path), "files");
}

function graphOf(
  imports: readonly Import[],
  nodeOf: (path: string) => string | undefined,
): Graph {
  const graph = new Map<string, Map<string, Import>>();
  for (const found of imports) {
    const from = nodeOf(found.from);
    const to = found.to === undefined ? undefined : nodeOf(found.to);
    if (from === undefined || to === undefined) continue;
    // A file that imports itself is a cycle of one; a room's files may import each other.
    if (from === to && found.from !== found.to) continue;
    const edges = graph.get(from) ?? new Map<string, Import>();
    if (!edges.has(to)) edges.set(to, found);
    graph.set(from, edges);
  }
  return graph;
}

/** One problem for every import that closes a cycle on a walk through the graph. */
function cyclesOf(graph: Graph, what: string): readonly Problem[] {
  const problems: Problem[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    trail.push(node);
    for (const [next, { from, line }] of graph.get(node) ?? []) {
      const start = trail.indexOf(next);
      if (start >= 0) {
        const cycle = [...trail.slice(start), next].join(" → ");
        problems.push({ path: from, line, message: `cycle of ${what}: ${cycle}` });
      } else if (!done.has(next)) visit(next);
    }
    trail.pop();
    done.add(node);
  };
  for (const node of graph.keys()) if (!done.has(node)) visit(node);
  return problems;
}
