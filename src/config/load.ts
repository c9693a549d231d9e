/**
 * Finds and reads the configuration file and the files that it names (spec §2). Reading, the environment and
 * the home folder are handed in.
 *
 * @module
 */

import { dirname, isAbsolute, join } from "node:path";
import type { GetVariable } from "./interpolate.ts";
import { ConfigError } from "./issues.ts";
import { readSource, type SourceFile, validate, type Validated } from "./parse.ts";
import { textAt } from "./tree.ts";
import { unreadableReason } from "./unreadable.ts";

/** What {@link loadConfig} works with. */
export interface LoadOptions {
  /** The argument of `--config`. @default the first file of the search order that exists */
  readonly path?: string;
  /** Reads a text file; throws an error named `NotFound` if it does not exist, as `Deno.readTextFile` does. */
  readonly readTextFile: (path: string) => Promise<string>;
  /** Reads an environment variable. */
  readonly get: GetVariable;
  /** The home folder. @default `~/.config` is not searched */
  readonly home?: string;
}

/** A configuration and where it came from. */
export interface LoadedConfig extends Validated {
  /** Path of the configuration file. */
  readonly path: string;
  /** Paths of every file that was read, the configuration file first. */
  readonly files: readonly string[];
  /** Names of the environment variables that the files mention. */
  readonly variables: readonly string[];
}

/** Where a configuration file is looked for without `--config`, in this order. */
export function searchPaths(home?: string): readonly string[] {
  return [
    "./config.yaml",
    ...home === undefined || home === "" ? [] : [`${home}/.config/realtime-router/config.yaml`],
    "/etc/realtime-router/config.yaml",
  ];
}

/**
 * Loads the configuration.
 *
 * @throws {ConfigError} No file was found, a file cannot be read, or something in one is wrong.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { path, text } = await findConfig(options);
  const source = readSource(text, { get: options.get, file: path });
  const files = [path];
  const read = async (keys: readonly string[], listKey?: string) => {
    const name = textAt(source.tree, keys);
    // An empty name, or one whose variable is not set, is reported by the validation.
    const unresolved = source.issues.some((issue) => issue.path === keys.join("."));
    if (name === undefined || name === "" || unresolved) return undefined;
    const file = isAbsolute(name) ? name : join(dirname(path), name);
    files.push(file);
    const content = await readFile(file, options);
    return readSource(content, {
      get: options.get,
      file,
      ...listKey === undefined ? {} : { listKey },
    });
  };
  const apiKeys = await read(["api_keys", "api_keys_file"], "api_keys");
  const models = await read(["model_metadata_file"]);

  const validated = validate(source, {
    ...apiKeys === undefined ? {} : { apiKeys },
    ...models === undefined ? {} : { models },
  });
  const sources = [source, apiKeys, models].filter((file): file is SourceFile =>
    file !== undefined
  );
  const variables = [...new Set(sources.flatMap((file) => file.variables))];
  return { ...validated, path, files, variables };
}

async function findConfig(
  options: LoadOptions,
): Promise<{ readonly path: string; readonly text: string }> {
  if (options.path !== undefined) {
    return { path: options.path, text: await readFile(options.path, options) };
  }
  const candidates = searchPaths(options.home);
  for (const path of candidates) {
    try {
      return { path, text: await options.readTextFile(path) };
    } catch (error) {
      if (!isNotFound(error)) throw unreadable(path, error);
    }
  }
  const message = `no configuration file: looked for ${candidates.join(", ")}; ` +
    "name one with --config";
  throw new ConfigError([{ path: "", message }]);
}

async function readFile(path: string, options: LoadOptions): Promise<string> {
  try {
    return await options.readTextFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === "NotFound";
}

function unreadable(file: string, error: unknown): ConfigError {
  return new ConfigError([{ path: "", message: unreadableReason(error), file }]);
}
