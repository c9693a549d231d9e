/**
 * What a load has to work with, and the cost of the time in which it measures.
 *
 * @module
 */

import type { Figures } from "../report/figures.ts";
import type { FakeBackend } from "./backend.ts";
import type { Target } from "./client_session.ts";
import { costOf, type ProcessCost, systemCpuMicros } from "./process_cost.ts";
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

/** Runs something with sessions of its own, which are closed behind it. */
export type InSessions = <T>(run: (context: LoadContext) => T) => T;

/** Runs something and says what it cost. */
export type Measure = (run: () => void) => Cost;

/** What a time has cost. */
export class Cost {
  readonly seconds: number;
  readonly #used: Used;

  constructor(seconds: number, used: Used) {
    this.seconds = seconds;
    this.#used = used;
  }

  /** What both have cost together. */
  plus(other: Cost): Cost {
    const [one, another] = [this.#used, other.#used];
    return new Cost(this.seconds + other.seconds, {
      driverMicros: one.driverMicros + another.driverMicros,
      othersMicros: one.othersMicros + another.othersMicros,
      ...one.subject === undefined || another.subject === undefined ? {} : {
        subject: {
          cpuMicros: one.subject.cpuMicros + another.subject.cpuMicros,
          residentBytes: Math.max(one.subject.residentBytes, another.subject.residentBytes),
        },
      },
    });
  }

  /** What every load measures of the processes, for so many messages or sessions. */
  figures(messages: number): Figures {
    const { driverMicros, othersMicros, subject } = this.#used;
    const share = (micros: number) => micros / 1e6 / this.seconds;
    return {
      driverShare: share(driverMicros),
      othersShare: Math.max(0, share(othersMicros)),
      ...subject === undefined ? {} : {
        cpuMicrosPerMessage: subject.cpuMicros / messages,
        subjectShare: share(subject.cpuMicros),
        residentBytes: subject.residentBytes,
      },
    };
  }
}

/** CPU that was used, and memory that is. */
interface Used {
  readonly driverMicros: number;
  /** Of programs that have nothing to do with it; below 0 by as much as the system's clock is coarse. */
  readonly othersMicros: number;
  readonly subject?: ProcessCost;
}

/** Measures the process of a subject, the driver itself, and others but those that keep the cores awake. */
export function measureOf(
  { pid, awakePids }: { readonly pid: number | undefined; readonly awakePids: readonly number[] },
): Measure {
  const costs = () => ({
    own: costOf(Deno.pid),
    subject: pid === undefined ? undefined : costOf(pid),
    awakeMicros: awakePids.reduce((sum, awake) => sum + costOf(awake).cpuMicros, 0),
    system: systemCpuMicros(),
  });
  return (run) => {
    const began = { ...costs(), atMs: performance.now() };
    run();
    const ended = { ...costs(), atMs: performance.now() };
    const driverMicros = ended.own.cpuMicros - began.own.cpuMicros;
    const subject = ended.subject === undefined || began.subject === undefined ? undefined : {
      cpuMicros: ended.subject.cpuMicros - began.subject.cpuMicros,
      residentBytes: ended.subject.residentBytes,
    };
    return new Cost((ended.atMs - began.atMs) / 1000, {
      driverMicros,
      othersMicros: ended.system - began.system - driverMicros - (subject?.cpuMicros ?? 0) -
        (ended.awakeMicros - began.awakeMicros),
      ...subject === undefined ? {} : { subject },
    });
  };
}
