/**
 * Reads the files of the repository for tests of what it is deployed with. Needs read permission.
 *
 * @module
 */

import { type Config, parseConfig } from "../../src/config/mod.ts";
import { parseYaml } from "../../src/config/mod.ts";

/** Every configuration in `deploy/`. */
export const CONFIGS = [
  "deploy/compose/config.yaml",
  "deploy/kubernetes/config.yaml",
  "deploy/systemd/config.yaml",
] as const;

/** Where a file of the repository is. */
export function pathOf(path: string): string {
  return new URL(`../../${path}`, import.meta.url).pathname;
}

/** The text of a file. */
export function textOf(path: string): Promise<string> {
  return Deno.readTextFile(pathOf(path));
}

/** The content of a YAML file with one document. */
export async function yamlOf(path: string): Promise<unknown> {
  return parseYaml(await textOf(path), { file: path });
}

/** The documents of a YAML file. */
export async function yamlDocumentsOf(path: string): Promise<readonly unknown[]> {
  return (await textOf(path)).split(/^---$/m).map((text) => parseYaml(text, { file: path }));
}

/** A configuration of the router. Variables that it mentions are set. */
export async function configOf(path: string): Promise<Config> {
  return parseConfig(await textOf(path), { get: (name) => `value-of-${name}`, file: path });
}
