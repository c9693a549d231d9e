/**
 * A live backend: its configuration and everything that changes while the router runs.
 *
 * @module
 */

import type { BackendConfig } from "./backend_config.ts";
import { ServedModels } from "./backend_models.ts";
import { CircuitBreaker } from "./breaker.ts";
import { hashText } from "./hash.ts";
import { BackendHealth } from "./health.ts";
import { LatencyAverage } from "./latency_average.ts";

/** Marks that selection strategies keep on a backend, so that choosing allocates nothing. */
export interface SelectionMarks {
  /** Number of the turn in which it was last chosen; 0 before the first. */
  lastTurn: number;
  /** Credit of smooth weighted round robin. */
  credit: number;
}

/** See the module's description. */
export class Backend {
  readonly name: string;
  /** Stable over restarts and replicas, for consistent hashing. */
  readonly nameHash: number;
  readonly breaker: CircuitBreaker;
  readonly health: BackendHealth;
  readonly latency = new LatencyAverage();
  readonly marks: SelectionMarks = { lastTurn: 0, credit: 0 };
  #config: BackendConfig;
  #served: ServedModels;
  #sessions = 0;

  constructor(config: BackendConfig) {
    this.name = config.name;
    this.nameHash = hashText(config.name);
    this.breaker = new CircuitBreaker(config.breaker);
    this.health = new BackendHealth(config.health);
    this.#config = config;
    this.#served = servedBy(config);
  }

  get config(): BackendConfig {
    return this.#config;
  }

  get served(): ServedModels {
    return this.#served;
  }

  /** Realtime sessions that count against this backend now. */
  get sessions(): number {
    return this.#sessions;
  }

  /** Counts a session until the returned value is disposed of, once. */
  openSession(): Disposable {
    this.#sessions++;
    let open = true;
    return {
      [Symbol.dispose]: () => {
        if (open) this.#sessions--;
        open = false;
      },
    };
  }

  /**
   * Takes in a new configuration of the same name without touching sessions. Another URL is another
   * server: what was learnt about the old one is forgotten.
   *
   * @throws {TypeError} when the name differs.
   */
  reconfigure(config: BackendConfig): void {
    if (config.name !== this.name) throw new TypeError("A backend keeps its name");
    const moved = config.url !== this.#config.url;
    const { discovered } = this.#served;
    this.#config = config;
    this.#served = servedBy(config);
    if (!moved) this.#served.setDiscovered(discovered);
    this.breaker.configure(config.breaker);
    this.health.configure(config.health);
    if (!moved) return;
    this.breaker.reset();
    this.health.reset();
    this.latency.reset();
  }
}

function servedBy(config: BackendConfig): ServedModels {
  return new ServedModels({
    models: config.models,
    modelConfigIds: config.modelConfigs.map(({ id }) => id),
  });
}
