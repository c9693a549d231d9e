/**
 * The effective configuration in the file's own form, with every secret masked: for `--print-config` and
 * `GET /admin/config`.
 *
 * @module
 */

import { z } from "zod";
import { bareSchema } from "./field_list.ts";
import { type Config, configSchema } from "./schema/config.ts";
import { fieldNotes } from "./schema/field.ts";
import { isMapping, type Mapping } from "./tree.ts";
import { writeYaml } from "./yaml.ts";

/** What stands for a secret. */
export const MASK = "***";

/**
 * The configuration as the file would say it, defaults filled in and secrets masked. With the secrets put
 * back it is a valid configuration with the same meaning; therefore `api_keys_file` is left out, whose keys
 * are among `api_keys`.
 */
export function maskedConfig(config: Config): Mapping {
  const tree = z.encode(configSchema, config as z.output<typeof configSchema>);
  const { api_keys_file: _merged, ...apiKeys } = tree.api_keys ?? {};
  const masked = mask({ ...tree, api_keys: apiKeys }, { schema: configSchema, secret: false });
  return isMapping(masked) ? masked : {};
}

/** {@link maskedConfig} as text. */
export function printConfig(config: Config, format: "yaml" | "json" = "yaml"): string {
  const tree = maskedConfig(config);
  return format === "json" ? `${JSON.stringify(tree, null, 2)}\n` : writeYaml(tree);
}

interface Position {
  readonly schema: z.core.$ZodType | undefined;
  readonly secret: boolean;
}

function mask(value: unknown, at: Position): unknown {
  const note = at.schema && fieldNotes.get(at.schema);
  const secret = at.secret || (note?.secret ?? false);
  const schema = at.schema && bareSchema(at.schema);
  if (Array.isArray(value)) {
    const element = schema instanceof z.ZodArray ? schema.element : undefined;
    return value.map((item) => mask(item, { schema: element, secret }));
  }
  if (isMapping(value)) {
    const inner = (key: string) => {
      if (schema instanceof z.ZodObject) return schema.shape[key];
      return schema instanceof z.ZodRecord ? schema.valueType : undefined;
    };
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mask(item, { schema: inner(key), secret })]),
    );
  }
  return secret && value !== "" ? MASK : value;
}
