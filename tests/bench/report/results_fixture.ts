/**
 * Results as a run would leave them, with round numbers.
 *
 * @module
 */

import { type Load, loadsOf, QUICK } from "../../../bench/plan/loads.ts";
import type { Cell, Figures, Results } from "../../../bench/report/figures.ts";

/** A cell whose rounds were all the same. */
export function cell(
  { subject, load }: { readonly subject: string; readonly load: string },
  figures: Figures,
): Cell {
  const spread = Object.fromEntries(Object.keys(figures).map((metric) => [metric, 0]));
  return { subject, load, figures, rounds: [figures], spread };
}

const VOICE = { arrivedShare: 1, lateP99Ms: 0.1, driverShare: 0.3, othersShare: 0 } as const;

/** What a subject that costs `factor` times nginx has under every load of {@link results}. */
export function cellsOfSubject(subject: string, factor: number): readonly Cell[] {
  return [
    cell({ subject, load: "closed-2500x1" }, {
      ...{
        p50Ms: factor,
        p95Ms: 2 * factor,
        p99Ms: 3 * factor,
        messagesPerSecond: 100_000 / factor,
      },
      ...{ cpuMicrosPerMessage: 5 * factor, residentBytes: 1e7 * factor, subjectShare: 0.99 },
      ...{ driverShare: 0.9, othersShare: 0 },
    }),
    cell({ subject, load: "voice-32" }, {
      ...{ p50Ms: 0.2 * factor, p99Ms: factor, cpuMicrosPerMessage: 30 * factor },
      ...{ residentBytes: 1e7 * factor, subjectShare: 0.03, ...VOICE },
    }),
    cell({ subject, load: "voice-256" }, {
      ...{ p50Ms: 0.2 * factor, p99Ms: factor, cpuMicrosPerMessage: 15 * factor },
      ...{ residentBytes: 2e7 * factor, subjectShare: 0.2, ...VOICE },
    }),
    cell({ subject, load: "storm" }, {
      ...{ handshakeP50Ms: 3 * factor, readyP50Ms: 5 * factor, sessionsPerSecond: 9_000 / factor },
      ...{ cpuMicrosPerSession: 80 * factor, startMs: 10 * factor },
    }),
    cell({ subject, load: "idle" }, {
      ...{ residentBytes: 1e7 * factor, residentBytesPerSession: 18_000 * factor },
    }),
  ];
}

/** A run of nginx and of the router at three times its cost, with `changes`. */
export function results(changes: Partial<Results> = {}): Results {
  const names = ["closed-2500x1", "voice-32", "voice-256", "storm", "idle"];
  const loads: readonly Load[] = loadsOf(QUICK).filter(({ name }) => names.includes(name));
  return {
    startedAt: "2026-11-29T12:00:00.000Z",
    seconds: 600,
    quick: false,
    rounds: 3,
    furtherRounds: 0,
    repeated: 0,
    machine: {
      cpu: "a processor",
      cores: 2,
      memoryBytes: 2 ** 33,
      kernel: "linux 6",
      pinned: true,
    },
    deno: "2.9.6",
    subjects: [
      { name: "nginx", title: "nginx tunnel", version: "1.22" },
      { name: "router", title: "router", version: "2.9.6" },
    ],
    leftOut: [{ name: "haproxy", reason: "haproxy is not on this machine" }],
    loads,
    withheld: [],
    cells: [...cellsOfSubject("nginx", 1), ...cellsOfSubject("router", 3)],
    ...changes,
  };
}
