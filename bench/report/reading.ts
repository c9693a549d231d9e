/**
 * What the figures of a run say, in sentences: the best and the worst of the router, and what hedges it.
 *
 * @module
 */

import { describeLoad } from "../plan/loads.ts";
import { cellOf, type Metric, type Results } from "./figures.ts";
import { isOverloaded, type Ratio, ratiosOf } from "./ratios.ts";
import { spreadOf } from "./tables.ts";
import { median } from "./statistics.ts";
import { METRICS, times } from "./units.ts";

const ROUTER = "router";
const SAID: readonly Metric[] = ["p50Ms", "cpuMicrosPerMessage", "residentBytes"];

/** The sentences. */
export function readingOf(results: Results): readonly string[] {
  const ratios = ratiosOf(results).filter(({ subject }) => subject === ROUTER);
  return [
    ...overloads(results),
    ...SAID.flatMap((metric) => extremes(results, ratios.filter((one) => one.metric === metric))),
    ...besides(results),
    ...spreads(results),
  ];
}

function overloads(results: Results): readonly string[] {
  return results.loads.filter(({ kind }) => kind === "paced").flatMap((load) => {
    const over = results.subjects.filter(({ name }) => {
      const cell = cellOf(results, { subject: name, load: load.name });
      return cell !== undefined && isOverloaded(cell.figures);
    }).map(({ title }) => title);
    if (over.length === 0) return [];
    return [`${describeLoad(load)}: too much on one core for: ${over.join("; ")}.`];
  });
}

function extremes(results: Results, ratios: readonly Ratio[]): readonly string[] {
  const sorted = ratios.filter(({ isOfOverload }) => !isOfOverload).toSorted((one, other) =>
    one.value - other.value
  );
  const [best, worst] = [sorted[0], sorted.at(-1)];
  if (best === undefined || worst === undefined) return [];
  const at = ({ load, value }: Ratio) =>
    `${times(value)} that of nginx (${loadTitle(results, load)})`;
  return [`${METRICS[best.metric].heading}: from ${at(best)} to ${at(worst)}.`];
}

/** Beside a relay in the same language, which is the more telling neighbour. */
function besides(results: Results): readonly string[] {
  const other = results.subjects.find(({ name }) => name === "ws-node");
  if (other === undefined) return [];
  const values = results.loads.flatMap(({ name, kind }) => {
    const value = cellOf(results, { subject: ROUTER, load: name })?.figures.cpuMicrosPerMessage;
    const by = cellOf(results, { subject: other.name, load: name })?.figures.cpuMicrosPerMessage;
    return kind === "idle" || value === undefined || by === undefined ? [] : [value / by];
  });
  if (values.length === 0) return [];
  return [
    `CPU a message beside the ${other.title}, which checks, limits and counts nothing: from ` +
    `${times(Math.min(...values))} to ${times(Math.max(...values))}.`,
  ];
}

function spreads(results: Results): readonly string[] {
  if (results.rounds < 2) return ["One round only: nothing tells how far the figures would move."];
  const said = (["p50Ms", "p99Ms", "cpuMicrosPerMessage"] as const).flatMap((metric) => {
    const values = spreadOf(results, metric);
    if (values.length === 0) return [];
    const percent = (value: number) => `${(value * 100).toFixed(0)} %`;
    return [
      `${METRICS[metric].heading} ${percent(median(values))} (at worst ${
        percent(Math.max(...values))
      })`,
    ];
  });
  return [`The rounds lie apart, half of the cells by less than: ${said.join(", ")}.`];
}

function loadTitle({ loads }: Results, name: string): string {
  const load = loads.find((one) => one.name === name);
  return load === undefined ? name : describeLoad(load);
}
