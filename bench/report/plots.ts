/**
 * What the plots show, as options of the library that draws them.
 *
 * @module
 */

import type { EChartsOption } from "echarts";
import { type Load, pacedBy } from "../plan/loads.ts";
import { cellOf, type Metric, type Results } from "./figures.ts";

/** A plot. */
export interface Plot {
  /** Of the file, without its ending. */
  readonly name: string;
  /** What a reader who does not see it is told. */
  readonly alternative: string;
  readonly option: EChartsOption;
}

/** A subject has the same colour in every plot (Okabe and Ito's, which most eyes tell apart). */
const COLOURS = [
  ...["#999999", "#56b4e9", "#009e73", "#d55e00", "#e69f00", "#0072b2"],
  ...["#cc79a7", "#f0e442"],
] as const;

/** What makes a plot. */
interface PlotOptions {
  readonly name: string;
  readonly title: string;
  readonly metric: Metric;
  readonly loads: readonly Load[];
  readonly kind: "bar" | "line";
  /** What the metric is divided by. @default {1} */
  readonly unit?: number;
  readonly axis: string;
}

/** The plots of a run; those of loads that did not run are left out. */
export function plotsOf(results: Results): readonly Plot[] {
  const closed = results.loads.filter(({ kind }) => kind === "closed");
  const voice = pacedBy("voice", results.loads);
  const even = pacedBy("even", results.loads);
  const all: readonly PlotOptions[] = [
    {
      ...{ name: "round_trip", title: "Round trip, p50 (log)", metric: "p50Ms" },
      // Bars of a logarithmic axis grow from 1.
      ...{ axis: "µs", unit: 0.001 },
      ...{ loads: [...closed, ...voice, ...even], kind: "bar" },
    },
    {
      ...{ name: "cpu", title: "CPU a relayed message", metric: "cpuMicrosPerMessage" },
      ...{ axis: "µs", loads: closed, kind: "bar" },
    },
    {
      ...{ name: "cpu_growth", title: "CPU a relayed message of paced voice" },
      ...{ metric: "cpuMicrosPerMessage", axis: "µs", loads: voice, kind: "line" },
    },
    {
      ...{ name: "memory_growth", title: "Resident memory under paced voice" },
      ...{ metric: "residentBytes", axis: "MB", unit: 1e6, loads: voice, kind: "line" },
    },
  ];
  return all.filter(({ loads }) => loads.length > 0).map((plot) => ({
    name: plot.name,
    alternative: plot.title,
    option: optionOf(results, plot),
  }));
}

function optionOf(
  results: Results,
  { title, metric, loads, kind, unit = 1, axis }: PlotOptions,
): EChartsOption {
  const series = results.subjects.flatMap(({ name, title: subject }, index) => {
    const data = loads.map((load) => {
      const value = cellOf(results, { subject: name, load: load.name })?.figures[metric];
      return value === undefined ? null : value / unit;
    });
    return data.every((value) => value === null)
      ? []
      : [{ name: subject, type: kind, color: COLOURS[index % COLOURS.length]!, data }];
  });
  return {
    animation: false,
    backgroundColor: "#ffffff",
    title: { text: title, left: "center" },
    legend: { bottom: 0 },
    grid: { left: 70, right: 30, top: 50, bottom: 70 },
    xAxis: { type: "category", data: loads.map(labelOf) },
    yAxis: { type: metric === "p50Ms" ? "log" : "value", name: axis },
    series,
  };
}

function labelOf(load: Load): string {
  if (load.kind !== "closed") return load.name.replace("-", " ");
  const size = load.messageBytes < 1000
    ? `${load.messageBytes} B`
    : `${load.messageBytes / 1000} KB`;
  return `${size} × ${load.inFlight}`;
}
