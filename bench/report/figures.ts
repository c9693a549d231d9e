/**
 * What is measured of a subject under a load, and what a run leaves behind.
 *
 * @module
 */

import type { Load } from "../plan/loads.ts";

/** Everything that a load may measure. Each load measures some of it. */
export interface Figures {
  /** Round trips. Under paced voice: from a message up to the first message of the burst that answers it. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  /** One way, from the client to the backend. */
  readonly upP50Ms?: number;
  readonly upP99Ms?: number;
  /** Relayed messages of both directions. */
  readonly messagesPerSecond?: number;
  /** User and system time of the subject's processes for each relayed message. */
  readonly cpuMicrosPerMessage?: number;
  /** From the start of the subject's process until it takes connections. */
  readonly startMs?: number;
  /** From `connect` to the 101. */
  readonly handshakeP50Ms?: number;
  readonly handshakeP99Ms?: number;
  /** From `connect` to the first echo through the backend. */
  readonly readyP50Ms?: number;
  readonly readyP99Ms?: number;
  readonly sessionsPerSecond?: number;
  readonly cpuMicrosPerSession?: number;
  /** Resident memory of the subject's processes under the load. */
  readonly residentBytes?: number;
  readonly residentBytesPerSession?: number;
  /** The part of the time for which the subject ran; 1 is one core. */
  readonly subjectShare?: number;
  /** The same for the driver, which has a core of its own. */
  readonly driverShare?: number;
  /** What other programs used of all cores, in cores. Above a few per cent the machine was not quiet. */
  readonly othersShare?: number;
  /** From the subject's core to the driver's and back, the farther of before and after. */
  readonly coreDistanceNs?: number;
  /** By how much messages left later than they were due. */
  readonly lateP99Ms?: number;
  /** The part of the due messages that arrived in time to be counted. Below 1 the subject falls behind. */
  readonly arrivedShare?: number;
}

export type Metric = keyof Figures;

/** One measurement. */
export interface Sample {
  readonly subject: string;
  readonly load: string;
  /** Counted from 1. */
  readonly round: number;
  readonly figures: Figures;
}

/** The medians of one subject under one load. */
export interface Cell {
  readonly subject: string;
  readonly load: string;
  readonly figures: Figures;
  /** Of every round, in their order. */
  readonly rounds: readonly Figures[];
  /** Of each figure, the greatest less the least of the rounds as a share of the median. */
  readonly spread: Figures;
}

/** A subject that took part. */
export interface SubjectRecord {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** The machine of a run. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  /** Whether subjects and the driver have a core each. */
  readonly pinned: boolean;
}

/** A run. */
export interface Results {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  readonly quick: boolean;
  /** Of all loads. */
  readonly rounds: number;
  /** Of the loads whose ratios were least certain, after those. */
  readonly furtherRounds: number;
  /** Samples that were taken again, since something disturbed them. */
  readonly repeated: number;
  readonly machine: Machine;
  readonly deno: string;
  readonly subjects: readonly SubjectRecord[];
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
  readonly loads: readonly Load[];
  /** Cells without times and rates, since the driver was full before the subject was. */
  readonly withheld: readonly { readonly subject: string; readonly load: string }[];
  readonly cells: readonly Cell[];
}

/** The cell of a subject under a load. */
export function cellOf(
  results: Pick<Results, "cells">,
  { subject, load }: { readonly subject: string; readonly load: string },
): Cell | undefined {
  return results.cells.find((cell) => cell.subject === subject && cell.load === load);
}
