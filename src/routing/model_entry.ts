/**
 * What is known of a model.
 *
 * @module
 */

/** The capability that realtime sessions require (spec §4). */
export const AUDIO = "audio";

/** A model as one source describes it: `model_configs`, the metadata file or the built-in list. */
export interface ModelDescription {
  readonly id: string;
  readonly aliases: readonly string[];
  /** Undefined leaves them to a lower layer; an empty list says that there are none. */
  readonly capabilities?: readonly string[] | undefined;
  /** Everything else: display name, summary, limits … Field by field, the highest layer wins. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A model as the catalogue knows it, all layers taken together. */
export interface ModelEntry {
  /** The canonical id. */
  readonly id: string;
  readonly aliases: readonly string[];
  /** Lower-case. Null when no source describes them. */
  readonly capabilities: ReadonlySet<string> | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}
