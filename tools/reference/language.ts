/**
 * What differs from one language of the reference to another.
 *
 * @module
 */

import type { ConfigField } from "../../src/config/mod.ts";

/** The words of the reference. */
export interface Language {
  /** All that stands above the first section. */
  readonly head: string;
  /** Of the columns: field, default, value, unit, reload, meaning. */
  readonly headings: readonly [string, string, string, string, string, string];
  /** Of fields without a default. */
  readonly presence: { readonly required: string; readonly optional: string };
  /** Follows the description of a field whose value is never shown. */
  readonly masked: string;
  /** What a field means. @throws {Error} When there is no text for it. */
  describe(field: ConfigField): string;
  /** What a value may be, from the schema's words. @throws {Error} When there is no text for it. */
  value(allowed: string): string;
  /** A unit, from the schema's words. @throws {Error} When there is no text for it. */
  unit(unit: string): string;
}
