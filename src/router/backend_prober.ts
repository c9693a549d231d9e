/**
 * Probing the backends of a running router.
 *
 * @module
 */

import { logOf, type ObservedBackend } from "../observability/mod.ts";
import {
  type BackendRegistry,
  type Discovery,
  type HealthChange,
  type ProbeClock,
  Prober,
  type RegistryChange,
} from "../routing/mod.ts";

/** What {@link startProber} needs. */
export interface BackendProberOptions {
  readonly clock: ProbeClock;
  readonly userAgent: string;
  /** The credential that a hub delivered for a backend, before the configured one (spec §9). */
  readonly credentialOf: (backend: string) => string | undefined;
  /** PEM certificates trusted besides the operating system's. */
  readonly caCerts: readonly string[];
}

/** A prober that runs. */
export interface BackendProber {
  /** See `Prober.refresh`. */
  refresh(change: RegistryChange): void;
  close(): Promise<void>;
}

/** Probes all backends over the network, and logs what is found. */
export function startProber(
  registry: BackendRegistry,
  options: BackendProberOptions,
): BackendProber {
  const { caCerts, ...probing } = options;
  // Every probe makes its own connection: one that is kept says nothing about new ones.
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0, caCerts: [...caCerts] });
  const prober = new Prober(registry, {
    ...probing,
    fetch: (url, init) => fetch(url, { ...init, client }),
    onChange: logHealth,
    onDiscovery: logDiscovery,
  });
  prober.start();
  return {
    refresh: (change) => prober.refresh(change),
    close: async () => {
      await prober.close();
      client.close();
    },
  };
}

/** The backends as metrics show them. */
export function observedBackends(
  registry: BackendRegistry,
  nowMs: number,
): readonly ObservedBackend[] {
  return registry.backends.map(({ name, health, breaker }) => ({
    name,
    health: health.state(nowMs).kind,
    circuit: breaker.state(nowMs).kind,
  }));
}

function logHealth(change: HealthChange): void {
  const level = change.to === "down" ? "warn" : "info";
  logOf("health")[level]("backend health changed", { ...change });
}

function logDiscovery(discovery: Discovery): void {
  const log = logOf("health");
  if ("problem" in discovery) log.warn("models cannot be discovered", { ...discovery });
  else log.info("models discovered", { ...discovery });
}
