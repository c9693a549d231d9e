/**
 * What requests are checked against, as it is at each of them.
 *
 * @module
 */

import type { Gate, Permits } from "../realtime/mod.ts";
import type { Settings } from "./settings.ts";

/** Joins the settings, which a reload may change, to what lives as long as the router. */
export function liveGate(
  settings: Settings,
  { permits, now, isDraining }: {
    readonly permits: Permits;
    readonly now: () => number;
    readonly isDraining: () => boolean;
  },
): Gate {
  return {
    get draining() {
      return isDraining();
    },
    get keyRing() {
      return settings.keyRing;
    },
    rateLimiter: settings.rateLimiter,
    get originPolicy() {
      return settings.originPolicy;
    },
    get catalogue() {
      return settings.catalogue;
    },
    registry: settings.registry,
    get strategy() {
      return settings.strategy;
    },
    permits,
    now,
    unixNow: Date.now,
  };
}
