/**
 * How a field of the configuration is declared: a zod schema, its default or that it is required, and a note
 * for the reference, for reloads and for masking. Whatever is not declared through these functions is no
 * field, and a test refuses it.
 *
 * @module
 */

import { z } from "zod";
import { refusal } from "../issues.ts";

/**
 * When a changed value takes effect (spec §2): `immediate` with the next request, `gradual` without ending
 * running sessions, `restart` with the next start.
 */
export type ReloadClass = "immediate" | "gradual" | "restart";

/** What a declaration says about its field. */
export interface Note {
  /** One or two sentences for the configuration reference. */
  readonly description: string;
  /** Unit of the value, as in `seconds`. @default none */
  readonly unit?: string;
  /** @default the class of the section around the field */
  readonly reload?: ReloadClass;
  /** The value is masked wherever the configuration is shown. @default {false} */
  readonly secret?: boolean;
}

/** A note together with what happens when the field is absent. */
export interface FieldNote extends Note {
  readonly presence: "default" | "required" | "optional";
  /** The default in the file's own form, for `presence: "default"`. */
  readonly default?: unknown;
}

/** The note of every declared field and section. */
export const fieldNotes: z.core.$ZodRegistry<FieldNote> = z.registry<FieldNote>();

/** What a value schema allows, in words; the same words that its errors use. */
export const allowedTexts: z.core.$ZodRegistry<{ readonly allowed: string }> = z.registry<
  { readonly allowed: string }
>();

/** A field with a default, given in the file's own form and read like any other value. */
export function withDefault<T extends z.ZodType>(
  schema: T,
  value: z.input<T>,
  options: Note,
): z.ZodPrefault<T> {
  const field = z.prefault(schema, value);
  fieldNotes.add(field, { ...options, presence: "default", default: value });
  return field;
}

/** A field that must be there. */
export function required<T extends z.ZodType>(schema: T, note: Note): T {
  // A clone, because a note belongs to the field and one value schema may serve several fields.
  const field = schema.clone();
  fieldNotes.add(field, { ...note, presence: "required" });
  const allowed = allowedTexts.get(schema);
  if (allowed !== undefined) allowedTexts.add(field, allowed);
  return field;
}

/** A field that may be absent; the description says what absence means. */
export function optional<T extends z.ZodType>(schema: T, note: Note): z.ZodExactOptional<T> {
  const field = z.exactOptional(schema);
  fieldNotes.add(field, { ...note, presence: "optional" });
  return field;
}

/** A mapping with known fields; anything else in it is an error. */
export function fields<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape, {
    error: ({ input }) => {
      const found = "found nothing: remove the line, or indent fields below it";
      return refusal("a mapping of fields", input, input === null ? { found } : {});
    },
  });
}

/** A section, all of whose fields have defaults or are optional, so that it may be left out. */
export function section<S extends z.ZodRawShape>(
  shape: S,
  note: Note,
): z.ZodPrefault<z.ZodObject<S, z.core.$strict>> {
  const schema = fields(shape);
  return withDefault(schema, {} as z.input<typeof schema>, note);
}
