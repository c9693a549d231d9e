/**
 * What a load has to work with, and the cost of the time in which it measures.
 *
 * @module
 */

import type { Figures } from "../report/figures.ts";
import type { FakeBackend } from "./backend.ts";
import type { Target } from "./client_session.ts";
import { costOf, systemCpuMicros } from "./process_cost.ts";
import type { SessionGroup } from "./sessions.ts";

/** What a load has. */
export interface LoadContext {
  readonly backend: FakeBackend;
  readonly group: SessionGroup;
  readonly target: Target;
  readonly measure: Measure;
  /** Resident memory of the subject now; undefined of no subject. */
  readonly residentBytes: () => number | undefined;
}

/** Runs something and says what it cost. */
export type Measure = (run: () => void) => Cost;

/** What a time has cost. */
export interface Cost {
  readonly seconds: number;
  /** What every load measures of the processes, for so many messages or sessions. */
  figures(messages: number): Figures;
}

/** Measures the process of a subject, and the driver itself. */
export function measureOf(pid: number | undefined): Measure {
  return (run) => {
    const began = { ...costs(pid), atMs: performance.now() };
    run();
    const ended = { ...costs(pid), atMs: performance.now() };
    const seconds = (ended.atMs - began.atMs) / 1000;
    const ownMicros = ended.own.cpuMicros - began.own.cpuMicros;
    const driverShare = ownMicros / 1e6 / seconds;
    const cpuMicros = ended.subject === undefined || began.subject === undefined
      ? undefined
      : ended.subject.cpuMicros - began.subject.cpuMicros;
    const othersMicros = ended.system - began.system - ownMicros - (cpuMicros ?? 0);
    const othersShare = Math.max(0, othersMicros / 1e6 / seconds);
    return {
      seconds,
      figures: (messages) => ({
        driverShare,
        othersShare,
        ...cpuMicros === undefined || ended.subject === undefined ? {} : {
          cpuMicrosPerMessage: cpuMicros / messages,
          subjectShare: cpuMicros / 1e6 / seconds,
          residentBytes: ended.subject.residentBytes,
        },
      }),
    };
  };
}

/** What the driver, the subject and the whole system have used so far. */
function costs(pid: number | undefined) {
  return {
    own: costOf(Deno.pid),
    subject: pid === undefined ? undefined : costOf(pid),
    system: systemCpuMicros(),
  };
}
