/**
 * The live backends and the index from model name to the backends that serve it.
 *
 * @module
 */

import { Backend } from "./backend.ts";
import type { BackendConfig } from "./backend_config.ts";

/** What {@link BackendRegistry.apply} did. */
export interface RegistryChange {
  readonly added: readonly Backend[];
  /** Still usable by the sessions that run on them. */
  readonly removed: readonly Backend[];
}

const NONE: readonly Backend[] = [];

/** All configured backends, in the order of the file. */
export class BackendRegistry {
  #byName = new Map<string, Backend>();
  #backends: readonly Backend[] = NONE;
  #serving = new Map<string, readonly Backend[]>();

  constructor(configs: readonly BackendConfig[] = []) {
    this.apply(configs);
  }

  get backends(): readonly Backend[] {
    return this.#backends;
  }

  /** All names that some backend serves, in the order of the backends. */
  get modelNames(): readonly string[] {
    return [...this.#serving.keys()];
  }

  get(name: string): Backend | undefined {
    return this.#byName.get(name);
  }

  /** The backends that serve exactly `model`, in the order of the file. */
  serving(model: string): readonly Backend[] {
    return this.#serving.get(model) ?? NONE;
  }

  /** Takes in a backend's own list of models. Returns whether anything changed. */
  setDiscovered(backend: Backend, models: readonly string[]): boolean {
    const changed = backend.served.setDiscovered(models);
    if (changed) this.#index();
    return changed;
  }

  /**
   * Replaces the configuration: backends of the same name live on with their state, others come and go.
   *
   * @throws {TypeError} when two have the same name; nothing changes then.
   */
  apply(configs: readonly BackendConfig[]): RegistryChange {
    const names = new Set(configs.map(({ name }) => name));
    if (names.size < configs.length) throw new TypeError("Two backends have the same name");
    const removed = this.#backends.filter(({ name }) => !names.has(name));
    const added: Backend[] = [];
    const backends = configs.map((config) => {
      const present = this.#byName.get(config.name);
      if (present !== undefined) {
        present.reconfigure(config);
        return present;
      }
      const backend = new Backend(config);
      added.push(backend);
      return backend;
    });
    this.#backends = backends;
    this.#byName = new Map(backends.map((backend) => [backend.name, backend]));
    this.#index();
    return { added, removed };
  }

  #index(): void {
    const serving = new Map<string, Backend[]>();
    for (const backend of this.#backends) {
      for (const model of backend.served.names) {
        const present = serving.get(model);
        if (present === undefined) serving.set(model, [backend]);
        else present.push(backend);
      }
    }
    this.#serving = serving;
  }
}
