/**
 * Subjects beside the reference of the same run: what a run says that another machine may also say.
 *
 * @module
 */

import { isCrowd, type Load } from "../plan/loads.ts";
import { cellOf, type Figures, type Metric, type Results } from "./figures.ts";
import { geometricMean, relativeError } from "./statistics.ts";
import { BUSY_DRIVER, BUSY_SUBJECT } from "./validity.ts";

/** The subject that the others are divided by. */
export const REFERENCE = "nginx";

/**
 * One figure of a subject over the reference's: the geometric mean of the ratios of all rounds. Within a round
 * the two are seconds apart, so that a machine that grows slower changes both.
 */
export interface Ratio {
  readonly subject: string;
  readonly load: string;
  readonly metric: Metric;
  readonly value: number;
  /** The standard error of `value`, as a share of it; Infinity of one round. */
  readonly error: number;
  /**
   * Whether it is a time of a subject that cannot carry the load, or of a crowd. Such a time only says how long
   * the subject had been falling behind, or messages had been queueing.
   */
  readonly isOfOverload: boolean;
  /**
   * Whether it is a time or a rate of a closed loop in which neither the subject nor the driver had much to do:
   * both waited for a timer of the kernel, such as Nagle's, and its luck decides.
   */
  readonly isOfWaiting: boolean;
}

/** A paced load at which a subject runs for more of the time, or takes less of the messages, is too much. */
const OVERLOAD = { subjectShare: 0.97, arrivedShare: 0.99 } as const;

/** Whether a subject could not carry a paced load. */
export function isOverloaded({ subjectShare = 0, arrivedShare = 1 }: Figures): boolean {
  return arrivedShare < OVERLOAD.arrivedShare || subjectShare > OVERLOAD.subjectShare;
}

function waits({ subjectShare = 1, driverShare = 1 }: Figures): boolean {
  return subjectShare < BUSY_SUBJECT && driverShare < BUSY_DRIVER;
}

/** The figures of a load that are compared. */
export const COMPARED: Readonly<Record<Load["kind"], readonly Metric[]>> = {
  closed: ["p50Ms", "p99Ms", "messagesPerSecond", "cpuMicrosPerMessage"],
  paced: ["p50Ms", "p99Ms", "cpuMicrosPerMessage", "residentBytes"],
  storm: ["handshakeP50Ms", "readyP50Ms", "sessionsPerSecond", "cpuMicrosPerSession"],
  idle: ["residentBytes", "residentBytesPerSession"],
};

/**
 * Figures that have to agree in two runs. A p99 of some hundred round trips is a handful of them, and moves with
 * each: it is shown and not held.
 */
const NOT_HELD: ReadonlySet<Metric> = new Set(["p99Ms"]);

/** Whether it has to be the same in another run. */
export function isHeld({ metric, isOfOverload, isOfWaiting }: Ratio): boolean {
  return !NOT_HELD.has(metric) && !isOfOverload && !isOfWaiting;
}

/** All of them, but those of times and rates that were withheld. Empty when the reference did not take part. */
export function ratiosOf({ cells, loads }: Pick<Results, "cells" | "loads">): readonly Ratio[] {
  return loads.flatMap((asked) => {
    const { kind, name: load } = asked;
    const isOfQueue = (metric: Metric) => metric.endsWith("Ms") || metric === "messagesPerSecond";
    const reference = cellOf({ cells }, { subject: REFERENCE, load });
    const relays = cells.filter((cell) =>
      cell.load === load && cell.subject !== REFERENCE && cell.subject !== "direct"
    );
    return COMPARED[kind].flatMap((metric) =>
      relays.flatMap(({ subject, figures, rounds }) => {
        if (figures[metric] === undefined || reference?.figures[metric] === undefined) return [];
        const values = rounds.flatMap((round, index) => {
          const [value, by] = [round[metric], reference.rounds[index]?.[metric]];
          return value === undefined || by === undefined || by === 0 ? [] : [value / by];
        });
        if (values.length === 0) return [];
        const queues = kind === "paced" ? isOverloaded(figures) : isCrowd(asked);
        const isOfOverload = queues && isOfQueue(metric);
        const isOfWaiting = kind === "closed" && waits(figures) && isOfQueue(metric);
        const [value, error] = [geometricMean(values), relativeError(values)];
        return [{ subject, load, metric, value, error, isOfOverload, isOfWaiting }];
      })
    );
  });
}
