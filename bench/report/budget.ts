/**
 * The budget of the router's speed, and whether a run keeps it.
 *
 * @module
 */

import { isCrowd, pacedBy } from "../plan/loads.ts";
import { cellOf, type Figures, type Metric, type Results } from "./figures.ts";
import { ratiosOf, REFERENCE } from "./ratios.ts";
import { shown, times } from "./units.ts";

/** One line of the budget. */
export interface BudgetLine {
  readonly budget: string;
  readonly here: string;
  readonly isKept: boolean;
}

const ROUTER = "router";
const IDLE_KIB = 170;
const START_MS = 400;
const PACED_MS = 0.4;
const GROWTH = 0.2;
const ONE = "closed-2500x1";
const FOUR = "closed-2500x4";

/** Every line that the run can decide. */
export function budgetOf(results: Pick<Results, "cells" | "loads">): readonly BudgetLine[] {
  const figures = (subject: string, load: string): Figures =>
    cellOf(results, { subject, load })?.figures ?? {};
  const router = (load: string) => figures(ROUTER, load);
  const ratios = ratiosOf(results).filter(({ subject }) => subject === ROUTER);
  const ratio = (budget: string, { load, metric, most }: RatioLimit) => {
    const found = ratios.find((one) => one.load === load && one.metric === metric);
    if (found === undefined) return [];
    const [value, by] = [router(load)[metric], figures(REFERENCE, load)[metric]];
    const here = `${times(found.value)} (${shown(metric, value)} to ${shown(metric, by)})`;
    return [{ budget, here, isKept: found.value <= most }];
  };
  const most = (budget: string, { value, limit, here }: Limit) =>
    value === undefined ? [] : [{ budget, here: here(value), isKept: value <= limit }];
  const voice = pacedBy("voice", results.loads).map(({ name }) => name);
  const even = pacedBy("even", results.loads).map(({ name }) => name);
  const growth = (budget: string, [few, many]: readonly (string | undefined)[]) => {
    if (few === undefined || many === undefined || few === many) return [];
    const [from, to] = [router(few).cpuMicrosPerMessage, router(many).cpuMicrosPerMessage];
    return most(budget, {
      value: from === undefined || to === undefined ? undefined : (to - from) / from,
      limit: GROWTH,
      here: (change) => `${change < 0 ? "−" : "+"}${Math.abs(change * 100).toFixed(0)} %`,
    });
  };
  return [
    ...ratio("p50 at most 1.5 × nginx, 1 in flight", { load: ONE, metric: "p50Ms", most: 1.5 }),
    ...ratio("p50 at most 1.5 × nginx, 4 in flight", { load: FOUR, metric: "p50Ms", most: 1.5 }),
    ...voice.flatMap((load) => {
      const [value, by] = [router(load).p50Ms, figures(REFERENCE, load).p50Ms];
      return most(`p50 at most nginx + ${PACED_MS} ms, ${load}`, {
        value: value === undefined || by === undefined ? undefined : value - by,
        limit: PACED_MS,
        here: (added) => `${added < 0 ? "−" : "+"}${Math.abs(added).toFixed(2)} ms`,
      });
    }),
    ...ratio("p99 at most 2 × nginx, 1 in flight", { load: ONE, metric: "p99Ms", most: 2 }),
    ...ratio("p99 at most 2 × nginx, 4 in flight", { load: FOUR, metric: "p99Ms", most: 2 }),
    ...ratio("CPU at most 3.5 × nginx, 1 in flight", {
      ...{ load: ONE, metric: "cpuMicrosPerMessage", most: 3.5 },
    }),
    ...ratio("CPU at most 2.2 × nginx, 4 in flight", {
      ...{ load: FOUR, metric: "cpuMicrosPerMessage", most: 2.2 },
    }),
    ...growth("CPU a message grows by at most 20 % from 32 to 1,000 sessions, as many messages", [
      even[0],
      even.at(-1),
    ]),
    ...growth("CPU a message grows by at most 20 % from 32 to 1,000 sessions, paced voice", [
      voice[0],
      voice.at(-1),
    ]),
    ...growth("CPU a message grows by at most 20 % from 32 to 1,000 sessions, closed loop", [
      ONE,
      results.loads.find(isCrowd)?.name,
    ]),
    ...most(`at most ${IDLE_KIB} KiB an idle session`, {
      value: router("idle").residentBytesPerSession,
      limit: IDLE_KIB * 1024,
      here: (bytes) => `${(bytes / 1024).toFixed(0)} KiB`,
    }),
    ...most(`takes connections after at most ${START_MS} ms`, {
      value: router("storm").startMs,
      limit: START_MS,
      here: (ms) => `${ms.toFixed(0)} ms`,
    }),
  ];
}

interface RatioLimit {
  readonly load: string;
  readonly metric: Metric;
  readonly most: number;
}

interface Limit {
  readonly value: number | undefined;
  readonly limit: number;
  readonly here: (value: number) => string;
}
