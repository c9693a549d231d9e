/**
 * The model catalogue: every description in one place, and the look-up of a requested name (spec §4).
 *
 * @module
 */

import type { ModelDescription, ModelEntry } from "./model_entry.ts";
import { normaliseName, stripSuffix } from "./names.ts";

/** A list of descriptions from one source. */
export type CatalogueLayer = readonly ModelDescription[];

/** An immutable set of models with precomputed look-ups. */
export class Catalogue {
  readonly #entries: readonly ModelEntry[];
  readonly #index: NameIndex;

  /** @param layers Highest first: `model_configs` of the backends, the metadata file, the built-in list. */
  constructor(layers: readonly CatalogueLayer[]) {
    const merged = mergeLayers(layers);
    const described = new NameIndex(merged.filter((entry) => entry.capabilities !== null));
    // A description without capabilities of its own has those of the model that its id leads to.
    this.#entries = merged.map((entry) =>
      entry.capabilities === null
        ? { ...entry, capabilities: described.find(entry.id)?.capabilities ?? null }
        : entry
    );
    this.#index = new NameIndex(this.#entries);
  }

  /** All models, highest layer first. */
  get entries(): readonly ModelEntry[] {
    return this.#entries;
  }

  /**
   * Finds a model: by exact id, exact alias, the same two in any case, and then without quantisation and
   * date suffixes. Undefined when there is none or when only suffixes tell several apart.
   */
  lookup(name: string): ModelEntry | undefined {
    return this.#index.find(name);
  }
}

class NameIndex {
  readonly #ids = new Map<string, ModelEntry>();
  readonly #aliases = new Map<string, ModelEntry>();
  readonly #lowerIds = new Map<string, ModelEntry>();
  readonly #lowerAliases = new Map<string, ModelEntry>();
  /** By normalised name; null where several models share it. */
  readonly #normalised = new Map<string, ModelEntry | null>();

  constructor(entries: readonly ModelEntry[]) {
    for (const entry of entries) {
      addFirst(this.#ids, { name: entry.id, entry });
      addFirst(this.#lowerIds, { name: entry.id.toLowerCase(), entry });
      this.#addNormalised(entry.id, entry);
      for (const alias of entry.aliases) {
        addFirst(this.#aliases, { name: alias, entry });
        addFirst(this.#lowerAliases, { name: alias.toLowerCase(), entry });
        this.#addNormalised(alias, entry);
      }
    }
  }

  find(name: string): ModelEntry | undefined {
    const exact = this.#ids.get(name) ?? this.#aliases.get(name);
    if (exact !== undefined) return exact;
    // One suffix at a time: of `m-2025-08-28-q8_0`, a model called `m-2025-08-28` is meant before `m`.
    let current: string | null = name.toLowerCase();
    let normalised = current;
    while (current !== null) {
      const entry = this.#lowerIds.get(current) ?? this.#lowerAliases.get(current);
      if (entry !== undefined) return entry;
      normalised = current;
      current = stripSuffix(current);
    }
    return this.#normalised.get(normalised) ?? undefined;
  }

  #addNormalised(name: string, entry: ModelEntry): void {
    const normalised = normaliseName(name);
    const present = this.#normalised.get(normalised);
    this.#normalised.set(normalised, present === undefined || present === entry ? entry : null);
  }
}

/** Earlier entries come from higher layers and keep a name that later ones claim too. */
function addFirst(
  map: Map<string, ModelEntry>,
  item: { readonly name: string; readonly entry: ModelEntry },
): void {
  if (!map.has(item.name)) map.set(item.name, item.entry);
}

interface Draft {
  readonly id: string;
  readonly aliases: Set<string>;
  capabilities: ReadonlySet<string> | null;
  metadata: Readonly<Record<string, unknown>>;
}

function mergeLayers(layers: readonly CatalogueLayer[]): ModelEntry[] {
  const drafts = new Map<string, Draft>();
  const higherAliases = new Set<string>();
  for (const layer of layers) {
    for (const description of layer) {
      // An alias of a higher layer takes the name away from a model of a lower one: who calls their own
      // model `gpt-realtime` does not mean the built-in entry.
      if (higherAliases.has(description.id) && !drafts.has(description.id)) continue;
      addToDraft(drafts, description);
    }
    for (const description of layer) {
      for (const alias of description.aliases) higherAliases.add(alias);
    }
  }
  return [...drafts.values()].map((draft) => ({ ...draft, aliases: [...draft.aliases] }));
}

function addToDraft(drafts: Map<string, Draft>, description: ModelDescription): void {
  const { id, aliases, capabilities, metadata } = description;
  const own = capabilities === undefined
    ? null
    : new Set(capabilities.map((capability) => capability.trim().toLowerCase()));
  const draft = drafts.get(id);
  if (draft === undefined) {
    drafts.set(id, { id, aliases: new Set(aliases), capabilities: own, metadata });
    return;
  }
  for (const alias of aliases) draft.aliases.add(alias);
  draft.capabilities ??= own;
  draft.metadata = { ...metadata, ...draft.metadata };
}
