/**
 * What becomes of CPU and memory as sessions come, for every subject.
 *
 * @module
 */

import { pacedBy, type Pattern } from "../plan/loads.ts";
import { cellOf, type Figures, type Results } from "./figures.ts";
import { table } from "./markdown.ts";
import { shown } from "./units.ts";

/** A row for each subject, over the paced loads of a pattern; undefined when there are fewer than two of them. */
export function growthTable(results: Results, pattern: Pattern): string | undefined {
  const loads = pacedBy(pattern, results.loads);
  const [few, many] = [loads[0], loads.at(-1)];
  if (few === undefined || many === undefined || few === many) return undefined;
  const added = many.sessions - few.sessions;
  const rows = results.subjects.flatMap(({ name, title }) => {
    const figures = loads.map((load) =>
      cellOf(results, { subject: name, load: load.name })?.figures ?? {}
    );
    if (figures.every(({ residentBytes }) => residentBytes === undefined)) return [];
    return [[
      title,
      steps(figures, "cpuMicrosPerMessage"),
      growthOf(figures),
      steps(figures, "residentBytes"),
      eachSession(figures, added),
    ]];
  });
  const sessions = loads.map((load) => load.sessions.toLocaleString("en-US")).join(" → ");
  return table(
    ["subject", `CPU µs/message at ${sessions}`, "change", "RSS MB", "KiB a session more"],
    rows,
  );
}

function steps(figures: readonly Figures[], metric: "cpuMicrosPerMessage" | "residentBytes") {
  return figures.map((at) => shown(metric, at[metric])).join(" → ");
}

function growthOf(figures: readonly Figures[]): string {
  const [few, many] = [figures[0]?.cpuMicrosPerMessage, figures.at(-1)?.cpuMicrosPerMessage];
  if (few === undefined || many === undefined) return "–";
  const change = Math.round((many / few - 1) * 100);
  return `${change < 0 ? "−" : "+"}${Math.abs(change)} %`;
}

function eachSession(figures: readonly Figures[], added: number): string {
  const [few, many] = [figures[0]?.residentBytes, figures.at(-1)?.residentBytes];
  if (few === undefined || many === undefined) return "–";
  return ((many - few) / added / 1024).toFixed(0);
}
