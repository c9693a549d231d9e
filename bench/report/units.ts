/**
 * Figures as readers see them.
 *
 * @module
 */

import type { Metric } from "./figures.ts";

/** How a metric is shown. */
interface Shown {
  readonly heading: string;
  readonly show: (value: number) => string;
}

const millis = (value: number) => value < 10 ? value.toFixed(2) : value.toFixed(1);
const whole = (value: number) => Math.round(value).toLocaleString("en-US");
const percent = (value: number) => `${(value * 100).toFixed(0)} %`;

/** Every metric. */
export const METRICS: Readonly<Record<Metric, Shown>> = {
  p50Ms: { heading: "p50 ms", show: millis },
  p95Ms: { heading: "p95 ms", show: millis },
  p99Ms: { heading: "p99 ms", show: millis },
  upP50Ms: { heading: "up p50 ms", show: millis },
  upP99Ms: { heading: "up p99 ms", show: millis },
  messagesPerSecond: { heading: "messages/s", show: whole },
  cpuMicrosPerMessage: { heading: "CPU µs/message", show: (value) => value.toFixed(1) },
  startMs: { heading: "start ms", show: whole },
  handshakeP50Ms: { heading: "handshake p50 ms", show: millis },
  handshakeP99Ms: { heading: "handshake p99 ms", show: millis },
  readyP50Ms: { heading: "first echo p50 ms", show: millis },
  readyP99Ms: { heading: "first echo p99 ms", show: millis },
  sessionsPerSecond: { heading: "sessions/s", show: whole },
  cpuMicrosPerSession: { heading: "CPU µs/session", show: whole },
  residentBytes: { heading: "RSS MB", show: (value) => (value / 1e6).toFixed(0) },
  residentBytesPerSession: { heading: "KiB/session", show: (value) => (value / 1024).toFixed(0) },
  subjectShare: { heading: "its core", show: percent },
  driverShare: { heading: "driver's core", show: percent },
  othersShare: { heading: "others", show: percent },
  coreDistanceNs: { heading: "to its core and back ns", show: whole },
  lateP99Ms: { heading: "late p99 ms", show: millis },
  arrivedShare: { heading: "arrived", show: (value) => `${(value * 100).toFixed(1)} %` },
};

/** A figure, or a dash where there is none. */
export function shown(metric: Metric, value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "–" : METRICS[metric].show(value);
}

/** A ratio. */
export function times(value: number | undefined): string {
  return value === undefined ? "–" : `${value.toFixed(value < 10 ? 2 : 0)} ×`;
}
