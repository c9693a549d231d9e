/**
 * From the text of the configuration files to one frozen value, with every problem reported at once.
 *
 * @module
 */

import type { z } from "zod";
import { crossCheck, crossCheckKeys, crossCheckModels, type KeySource } from "./cross_checks.ts";
import { deepFreeze } from "./freeze.ts";
import { type GetVariable, interpolate } from "./interpolate.ts";
import { ConfigError, type Issue } from "./issues.ts";
import { schemaIssues } from "./schema_issues.ts";
import { apiKeyFile } from "./schema/api_keys.ts";
import { type Config, configSchema, type ModelConfig } from "./schema/config.ts";
import { modelFile } from "./schema/models.ts";
import { listAt } from "./tree.ts";
import { parseYaml } from "./yaml.ts";

/** A file that is parsed and interpolated, not validated yet. */
export interface SourceFile {
  readonly tree: unknown;
  /** Name for error messages. @default none */
  readonly file?: string;
  readonly variables: readonly string[];
  readonly issues: readonly Issue[];
}

/** The files besides the configuration file. */
export interface ExtraFiles {
  /** The content of `api_keys.api_keys_file`. */
  readonly apiKeys?: SourceFile;
  /** The content of `model_metadata_file`. */
  readonly models?: SourceFile;
}

/** What the files say. */
export interface Validated {
  readonly config: Config;
  /** The entries of `model_metadata_file`; empty without one. */
  readonly modelMetadata: readonly ModelConfig[];
}

/**
 * Parses and validates the text of a configuration file that has no files besides it.
 *
 * @param options.get Reads an environment variable.
 * @param options.file Name of the file for error messages.
 * @throws {ConfigError} With everything that is wrong.
 */
export function parseConfig(
  text: string,
  options: { readonly get: GetVariable; readonly file?: string },
): Config {
  return validate(readSource(text, options)).config;
}

/** How {@link readSource} reads a file. */
export interface ReadOptions {
  /** Reads an environment variable. */
  readonly get: GetVariable;
  /** Name of the file for error messages. @default none */
  readonly file?: string;
  /** A file that is a bare list is read as a mapping with the list under this key. @default none */
  readonly listKey?: string;
}

/**
 * Parses a file and replaces its variables.
 *
 * @throws {ConfigError} The text is not YAML. Unset variables are issues of the result instead.
 */
export function readSource(text: string, options: ReadOptions): SourceFile {
  const file = options.file === undefined ? {} : { file: options.file };
  const parsed = parseYaml(text, file);
  const { listKey } = options;
  const tree = listKey !== undefined && Array.isArray(parsed) ? { [listKey]: parsed } : parsed;
  return { ...interpolate(tree, options.get), ...file };
}

/**
 * Validates the files together; the keys of `api_keys_file` join those of the configuration file.
 *
 * @throws {ConfigError} With everything that is wrong in any of them.
 */
export function validate(source: SourceFile, extra: ExtraFiles = {}): Validated {
  const main = check(source, configSchema, crossCheck(source.tree));
  const keys = extra.apiKeys && check(extra.apiKeys, apiKeyFile, []);
  const models = extra.models &&
    check(
      extra.models,
      modelFile,
      crossCheckModels(listAt(extra.models.tree, ["models"]), "models"),
    );
  const issues = [
    ...main.issues,
    ...keys?.issues ?? [],
    ...models?.issues ?? [],
    ...crossCheckKeys([
      keySource(source, ["api_keys", "api_keys"]),
      ...extra.apiKeys === undefined ? [] : [keySource(extra.apiKeys, ["api_keys"])],
    ]),
  ];
  if (main.value === undefined || issues.length > 0) throw new ConfigError(issues);

  const { api_keys: section } = main.value;
  const merged = [...section.api_keys, ...keys?.value?.api_keys ?? []];
  return deepFreeze({
    config: { ...main.value, api_keys: { ...section, api_keys: merged } },
    modelMetadata: models?.value?.models ?? [],
  });
}

function keySource({ tree, file }: SourceFile, path: readonly string[]): KeySource {
  const named = file === undefined ? {} : { file };
  return { entries: listAt(tree, path), path: path.join("."), ...named };
}

interface Checked<T> {
  readonly value: T | undefined;
  readonly issues: readonly Issue[];
}

/** A value whose variable is missing is reported for that alone. */
function check<T extends z.ZodType>(
  source: SourceFile,
  schema: T,
  others: readonly Issue[],
): Checked<z.output<T>> {
  const result = schema.safeParse(source.tree);
  const unresolved = new Set(source.issues.map((issue) => issue.path));
  const found = [...result.success ? [] : schemaIssues(result.error, schema), ...others];
  const issues = [...source.issues, ...found.filter((issue) => !unresolved.has(issue.path))];
  const file = source.file === undefined ? {} : { file: source.file };
  return {
    value: result.success ? result.data : undefined,
    issues: issues.map((issue) => ({ ...file, ...issue })),
  };
}
