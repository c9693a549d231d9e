/**
 * What probing needs of the outside, and what it tells.
 *
 * @module
 */

import type { HealthKind } from "./health.ts";

/** The time of probes: monotonic, in milliseconds. */
export interface ProbeClock {
  now(): number;
  /** Calls `run` once after `ms`, unless the returned value is disposed of first. */
  after(ms: number, run: () => void): Disposable;
}

/** A backend's health as it was and as it is now. */
export interface HealthChange {
  readonly backend: string;
  readonly from: HealthKind;
  readonly to: HealthKind;
  /** Why the last probe failed, for the operator; null after a success and before the first probe. */
  readonly reason: string | null;
}

/** How many names a backend serves now that its list was read, or why the list cannot be read. */
export type Discovery =
  | { readonly backend: string; readonly models: number }
  | { readonly backend: string; readonly problem: string };

/** What probing needs of the outside. The callbacks must not throw. */
export interface ProbeOptions {
  /** As the global one. It must honour `signal`. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: ProbeClock;
  /** Sent to backends. */
  readonly userAgent: string;
  /**
   * The credential that a hub delivered for a backend, before the configured one (spec §9).
   *
   * @default {undefined} the configured ones are used
   */
  readonly credentialOf?: ((backend: string) => string | undefined) | undefined;
  /** Told of every change of a backend's health, once. */
  readonly onChange: (change: HealthChange) => void;
  /**
   * Told when a backend's list of models has changed or can be read again, and, once for each reason, why
   * it cannot be read.
   *
   * @default {undefined} nobody is told
   */
  readonly onDiscovery?: ((discovery: Discovery) => void) | undefined;
}
