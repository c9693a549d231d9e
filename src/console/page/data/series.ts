/**
 * Figures over time, for the plots: what two answers of `/admin/stats` say of the time between them.
 *
 * @module
 */

import type { Statistics } from "./admin_types.ts";

/** One point of every plot. */
export interface Sample {
  /** Unix seconds. */
  readonly at: number;
  readonly activeSessions: number;
  /** Sessions that ended, a second. */
  readonly endedRate: number;
  /** Upgrade requests refused, a second. */
  readonly refusedRate: number;
  /** Tokens a second, by kind. */
  readonly inputRate: number;
  readonly cachedRate: number;
  readonly outputRate: number;
  /** Milliseconds; null before the first record with a latency. */
  readonly p50: number | null;
  readonly p95: number | null;
}

/** A quarter of an hour at one sample in two seconds. */
export const MAX_SAMPLES = 450;

/** Adds the sample of the newest answer; the oldest makes room. Nothing can be said of the first answer. */
export function addSample(
  samples: readonly Sample[],
  { before, now, unixMs }: {
    readonly before: Statistics | null;
    readonly now: Statistics;
    readonly unixMs: number;
  },
): readonly Sample[] {
  const seconds = before === null ? 0 : now.uptime_seconds - before.uptime_seconds;
  // A restarted router counts from zero again.
  if (before === null || seconds <= 0) return samples;
  const rate = (count: (statistics: Statistics) => number) =>
    Math.max(0, count(now) - count(before)) / seconds;
  const hasLatency = now.latency_ms.p95 > 0;
  const sample: Sample = {
    at: unixMs / 1000,
    activeSessions: now.realtime.active_sessions,
    endedRate: rate(({ realtime }) => sum(realtime.sessions_total)),
    refusedRate: rate(({ realtime }) => sum(realtime.handshake_rejections_total)),
    inputRate: rate(({ tokens }) => tokens.input),
    cachedRate: rate(({ tokens }) => tokens.cached_input),
    outputRate: rate(({ tokens }) => tokens.output),
    p50: hasLatency ? now.latency_ms.p50 : null,
    p95: hasLatency ? now.latency_ms.p95 : null,
  };
  return [...samples.slice(-(MAX_SAMPLES - 1)), sample];
}

/** The sum of counts by name. */
export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
