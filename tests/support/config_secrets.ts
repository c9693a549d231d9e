/**
 * The secrets of a configuration, whatever form it has.
 *
 * @module
 */

import { parseYaml } from "../../src/config/mod.ts";

/** The last names of the schema's secret fields; what is in `headers` is secret as a whole. */
export const SECRET_NAMES: ReadonlySet<string> = new Set([
  "key",
  "key_sha256",
  "api_key",
  "headers",
  "token",
  "password",
  "auth_token",
]);

/** What the file of a configuration may look like, valid or not. */
const SECRET_LINE = new RegExp(
  `\\b(?:${[...SECRET_NAMES].join("|")}) *: *["']?(\\$\\{\\w+\\}|[^\\s"',{}\\[\\]]+)`,
  "g",
);

/** Every text under a secret name. */
export function secretsIn(config: unknown): readonly string[] {
  if (typeof config !== "object" || config === null) return [];
  return Object.entries(config).flatMap(([name, value]) => {
    // There `key` is the path of a file.
    if (name === "tls") return [];
    return SECRET_NAMES.has(name) ? textsIn(value) : secretsIn(value);
  });
}

/** The secrets of a file, with those that it takes from the environment. */
export function secretsOfFile(
  yaml: string,
  env: Readonly<Record<string, string>> = {},
): readonly string[] {
  const found = parsed(yaml) ?? [...yaml.matchAll(SECRET_LINE)].map(([, value]) => value ?? "");
  return found.map((text) => env[/^\$\{(\w+)/.exec(text)?.[1] ?? ""] ?? text)
    .filter((text) => !text.startsWith("${"));
}

function parsed(yaml: string): readonly string[] | undefined {
  try {
    return secretsIn(parseYaml(yaml));
  } catch {
    // A file that a test has broken on purpose.
    return undefined;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
