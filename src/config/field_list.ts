/**
 * The schema as a flat list of fields: what the configuration reference, the tests and reloads go by.
 *
 * @module
 */

import { z } from "zod";
import { configSchema } from "./schema/config.ts";
import { allowedTexts, type FieldNote, fieldNotes, type ReloadClass } from "./schema/field.ts";

/** One field of the configuration file that holds a value. */
export interface ConfigField {
  /** `realtime.idle_timeout`; a list item is `backends[].url`, a free name `circuit_breaker.backends.*.…`. */
  readonly path: string;
  readonly description: string;
  /** What the value may be, in words. */
  readonly allowed: string;
  /** `optional` = may be absent and has no default; the description says what absence means. */
  readonly presence: "default" | "required" | "optional";
  /** The default in the file's own form, for `presence: "default"`. */
  readonly default?: unknown;
  readonly unit?: string;
  /** When a change takes effect. */
  readonly reload: ReloadClass;
  /** Whether the value is masked wherever it is shown. */
  readonly secret: boolean;
}

/** A schema without its default and optionality. */
export function bareSchema(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional) {
    return bareSchema(schema.unwrap());
  }
  return schema;
}

/** Every field of the schema, in the order of the file. A schema without a note is listed as undescribed. */
export function listFields(schema: z.core.$ZodType = configSchema): readonly ConfigField[] {
  return walk(schema, { path: "", note: undefined, reload: "immediate", allowed: undefined });
}

interface Position {
  readonly path: string;
  readonly note: FieldNote | undefined;
  readonly reload: ReloadClass;
  readonly allowed: string | undefined;
}

function walk(schema: z.core.$ZodType, at: Position): readonly ConfigField[] {
  const note = fieldNotes.get(schema) ?? at.note;
  const reload = note?.reload ?? at.reload;
  const bare = bareSchema(schema);
  const allowed = allowedTexts.get(bare)?.allowed;
  const below = (suffix: string, inner: z.core.$ZodType) =>
    walk(inner, { path: `${at.path}${suffix}`, note: undefined, reload, allowed: undefined });

  if (bare instanceof z.ZodObject) {
    const dot = at.path === "" ? "" : ".";
    return Object.entries(bare.shape).flatMap(([key, inner]) => below(`${dot}${key}`, inner));
  }
  if (bare instanceof z.ZodArray && isSection(bare.element)) return below("[]", bare.element);
  if (bare instanceof z.ZodRecord && isSection(bare.valueType)) return below(".*", bare.valueType);
  return [{
    path: at.path,
    description: note?.description ?? "",
    allowed: allowed ?? "",
    presence: note?.presence ?? "optional",
    ...(note?.presence === "default" ? { default: note.default } : {}),
    ...(note?.unit === undefined ? {} : { unit: note.unit }),
    reload,
    secret: note?.secret ?? false,
  }];
}

function isSection(schema: z.core.$ZodType): boolean {
  return bareSchema(schema) instanceof z.ZodObject;
}
