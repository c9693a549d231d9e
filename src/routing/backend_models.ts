/**
 * Which model names a backend serves (spec §4).
 *
 * @module
 */

/** Most names taken from a backend's own list, and the longest of them: a backend may answer anything. */
export const MAX_DISCOVERED_MODELS = 5_000;
const MAX_DISCOVERED_LENGTH = 256;

/** What the configuration says about a backend's models. */
export interface ServedModelsOptions {
  /** `models`. Undefined: they are discovered. An empty list is a list. */
  readonly models?: readonly string[] | undefined;
  /** The ids of `model_configs`; their aliases are not served names. */
  readonly modelConfigIds: readonly string[];
}

/** The names that one backend serves. */
export class ServedModels {
  readonly #configured: readonly string[];
  readonly #discovers: boolean;
  #discovered: readonly string[] = [];
  #names: ReadonlySet<string>;

  constructor(options: ServedModelsOptions) {
    this.#configured = [...(options.models ?? []), ...options.modelConfigIds];
    this.#discovers = options.models === undefined;
    this.#names = new Set(this.#configured);
  }

  /** Whether the names are asked of the backend (`GET /v1/models`). */
  get discovers(): boolean {
    return this.#discovers;
  }

  /** What of the backend's own list is served; empty where the configuration lists the models. */
  get discovered(): readonly string[] {
    return this.#discovered;
  }

  /** The names, configured ones first. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /**
   * Takes in the list that the backend gave, in place of the one before. Ignored where the configuration
   * lists the models. Returns whether anything changed.
   */
  setDiscovered(names: readonly string[]): boolean {
    if (!this.#discovers) return false;
    this.#discovered = names
      .filter((name) => name !== "" && name.length <= MAX_DISCOVERED_LENGTH)
      .slice(0, MAX_DISCOVERED_MODELS);
    const next = new Set([...this.#configured, ...this.#discovered]);
    const changed = next.symmetricDifference(this.#names).size > 0;
    if (changed) this.#names = next;
    return changed;
  }
}
