/**
 * Every figure of a run, as tables.
 *
 * @module
 */

import { describeLoad, type Load } from "../plan/loads.ts";
import { cellOf, type Metric, type Results } from "./figures.ts";
import { table } from "./markdown.ts";
import { METRICS, shown } from "./units.ts";

const COLUMNS: Readonly<Record<Load["kind"], readonly Metric[]>> = {
  closed: [
    ...["p50Ms", "p95Ms", "p99Ms", "messagesPerSecond", "cpuMicrosPerMessage"] as const,
    ...["residentBytes", "subjectShare", "driverShare"] as const,
  ],
  paced: [
    ...["p50Ms", "p95Ms", "p99Ms", "upP50Ms", "upP99Ms", "cpuMicrosPerMessage"] as const,
    ...["residentBytes", "subjectShare", "driverShare", "lateP99Ms", "arrivedShare"] as const,
  ],
  storm: [
    ...["handshakeP50Ms", "handshakeP99Ms", "readyP50Ms", "readyP99Ms"] as const,
    ...["sessionsPerSecond", "cpuMicrosPerSession", "startMs"] as const,
  ],
  idle: ["residentBytes", "residentBytesPerSession"],
};

/** A heading and a table for each load. */
export function loadTables(results: Results): string {
  return results.loads.map((load) => {
    const columns = COLUMNS[load.kind];
    const rows = results.subjects.flatMap(({ name, title }) => {
      const cell = cellOf(results, { subject: name, load: load.name });
      if (cell === undefined) return [];
      return [[title, ...columns.map((metric) => shown(metric, cell.figures[metric]))]];
    });
    const headings = ["subject", ...columns.map((metric) => METRICS[metric].heading)];
    return `### ${capital(describeLoad(load))}\n\n${table(headings, rows)}`;
  }).join("\n");
}

/** How far apart the rounds lie: the median over all cells, and the worst, for each metric. */
export function spreadOf(results: Pick<Results, "cells">, metric: Metric): readonly number[] {
  return results.cells.flatMap(({ spread }) => spread[metric] ?? []);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
