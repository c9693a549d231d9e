/**
 * Whether a run measured its subjects and not its driver.
 *
 * @module
 */

import type { Load } from "../plan/loads.ts";
import {
  type Cell,
  cellOf,
  type Figures,
  type Metric,
  type Results,
  type Sample,
} from "./figures.ts";

/** A driver that runs for more of the time than this has nothing left. */
export const BUSY_DRIVER = 0.95;
/** A subject that runs for less of the time than this waits for somebody. */
export const BUSY_SUBJECT = 0.8;
/** Paced messages that leave later than this are not paced any more. */
export const LATE_MS = 5;
/** Of paced messages, the least part that has to arrive when nothing is in between. */
export const ARRIVED_DIRECTLY = 0.99;

/** Of a core, what other programs may use. With more, the figures are theirs too. */
export const QUIET = 0.15;
/** Cores that are farther from each other than so many times the least that a run has seen were moved apart. */
export const MOVED_APART = 2.5;
/** More than other programs can use. */
const MANY_CORES = 1_000;

/** The subject that a run is about. */
const OURS = "router";

/** What a driver without time to spare makes of others: how fast it gave them messages, and nothing else. */
const BOUND_BY_DRIVER: readonly Metric[] = [
  ...["p50Ms", "p95Ms", "p99Ms", "messagesPerSecond"] as const,
  ...["handshakeP50Ms", "handshakeP99Ms", "readyP50Ms", "readyP99Ms"] as const,
  "sessionsPerSecond",
];

/** Why figures of a run cannot be used. Empty when they can. */
export function faultsOf(results: Pick<Results, "cells" | "loads">): readonly string[] {
  const nearestNs = nearestOf(results.cells);
  return results.loads.flatMap((load) =>
    results.cells.filter((cell) => cell.load === load.name).flatMap((cell) => {
      const fault = noiseFault(cell, nearestNs) ??
        (load.kind === "paced" ? pacedFault(cell) : closedFault(cell));
      return fault === undefined ? [] : [`${cell.subject}, ${cell.load}: ${fault}`];
    }).concat(directFault(results, load))
  );
}

/**
 * The results without the times and rates of tunnels that were faster than the driver. What they cost in CPU
 * stays, since it is counted for each message.
 */
export function withholdDriverBound(results: Results): Results {
  const kinds = new Map(results.loads.map(({ name, kind }) => [name, kind]));
  const isWithheld = (cell: Cell) => kinds.get(cell.load) !== "paced" && isDriverBound(cell);
  const keep = (figures: Figures): Figures =>
    Object.fromEntries(
      Object.entries(figures).filter(([metric]) => !BOUND_BY_DRIVER.includes(metric as Metric)),
    );
  return {
    ...results,
    withheld: results.cells.filter(isWithheld).map(({ subject, load }) => ({ subject, load })),
    cells: results.cells.map((cell) =>
      isWithheld(cell) ? { ...cell, figures: keep(cell.figures), spread: keep(cell.spread) } : cell
    ),
  };
}

/** A closed loop or a storm always fills somebody's core. When it is not the subject's, it is the driver's. */
function isDriverBound({ figures: { driverShare = 0, subjectShare } }: Cell): boolean {
  return subjectShare !== undefined && driverShare > BUSY_DRIVER && subjectShare < BUSY_SUBJECT;
}

/** Whether the cores are so far from each other, beside the least that was seen, that they were moved. */
export function areApart(distanceNs: number | undefined, nearestNs: number): boolean {
  return distanceNs !== undefined && distanceNs > MOVED_APART * nearestNs;
}

/** Whether other programs used more than they may meanwhile, or the cores were apart. */
export function isDisturbed(
  { figures: { othersShare = 0, coreDistanceNs } }: Pick<Sample, "figures">,
  nearestNs = Infinity,
): boolean {
  return othersShare > QUIET || areApart(coreDistanceNs, nearestNs);
}

/** The sample that was disturbed least: cores that were apart are worse than any program. */
export function quietest(samples: readonly Sample[], nearestNs = Infinity): Sample {
  const badness = ({ figures: { othersShare = 0, coreDistanceNs } }: Sample) =>
    othersShare + (areApart(coreDistanceNs, nearestNs) ? MANY_CORES : 0);
  return samples.reduce((least, sample) => badness(sample) < badness(least) ? sample : least);
}

/** The least distance of the cores in a run; Infinity when it was not measured. */
function nearestOf(cells: readonly Cell[]): number {
  const seen = cells.flatMap(({ rounds }) => rounds.flatMap((round) => round.coreDistanceNs ?? []));
  return Math.min(Infinity, ...seen);
}

function noiseFault({ figures }: Cell, nearestNs: number): string | undefined {
  const { othersShare = 0, coreDistanceNs } = figures;
  if (areApart(coreDistanceNs, nearestNs)) {
    return `the cores were ${coreDistanceNs?.toFixed(0)} ns apart, and ${
      nearestNs.toFixed(0)
    } at best`;
  }
  return othersShare > QUIET ? `other programs used ${percent(othersShare)} of a core` : undefined;
}

function closedFault(cell: Cell): string | undefined {
  const { driverShare = 0, subjectShare = 0 } = cell.figures;
  if (cell.subject !== OURS || !isDriverBound(cell)) return undefined;
  return `the driver was busy for ${percent(driverShare)} of the time, ` +
    `the subject for ${percent(subjectShare)}`;
}

function pacedFault({ figures }: Cell): string | undefined {
  const { driverShare = 0, lateP99Ms = 0 } = figures;
  if (driverShare > BUSY_DRIVER) {
    return `the driver was busy for ${percent(driverShare)} of the time`;
  }
  if (lateP99Ms > LATE_MS) return `messages left ${lateP99Ms.toFixed(1)} ms late (p99)`;
  return undefined;
}

function directFault(results: Pick<Results, "cells">, { name }: Load): readonly string[] {
  const arrived = cellOf(results, { subject: "direct", load: name })?.figures.arrivedShare ?? 1;
  if (arrived >= ARRIVED_DIRECTLY) return [];
  return [`direct, ${name}: ${percent(arrived)} of the messages arrived`];
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
