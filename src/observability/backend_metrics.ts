/**
 * The metrics of backends (spec §10.2), read from the live ones at each scrape, so that a backend that is
 * gone is no longer shown.
 *
 * @module
 */

import { Gauge, type Registry, type RegistryContentType } from "prom-client";

const HEALTH = { unknown: 0, ready: 1, warming_up: 2, down: 3 } as const;
const CIRCUIT = { closed: 0, open: 1, half_open: 2 } as const;

/** A backend as it is now. */
export interface ObservedBackend {
  readonly name: string;
  readonly health: keyof typeof HEALTH;
  readonly circuit: keyof typeof CIRCUIT;
}

/** See the module. */
export class BackendMetricSet {
  /** @param options `backends`: called at each scrape. Names must be those of configured backends. */
  constructor(
    registry: Registry<RegistryContentType>,
    options: { readonly backends: () => Iterable<ObservedBackend> },
  ) {
    const { backends } = options;
    const labelNames = ["backend"] as const;
    const registers = [registry];
    new Gauge({
      name: "backend_health_state",
      help: "Health of a backend: 0 unknown, 1 ready, 2 warming up, 3 down",
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { name, health } of backends()) this.set({ backend: name }, HEALTH[health]);
      },
    });
    new Gauge({
      name: "circuit_breaker_state",
      help: "Circuit breaker of a backend: 0 closed, 1 open, 2 half-open",
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const { name, circuit } of backends()) this.set({ backend: name }, CIRCUIT[circuit]);
      },
    });
  }
}
