/**
 * The only file that knows the YAML library. YAML 1.2 core schema: no dates, no binary, no custom tags; a
 * key that is there twice is an error. Errors carry line and column and never a line of the file, which may
 * hold a secret.
 *
 * @module
 */

import { CORE_SCHEMA, dump, load, YAMLException } from "js-yaml";
import { ConfigError } from "./issues.ts";

/** The largest configuration file, in UTF-16 code units: 1 Mi. */
export const MAX_YAML_LENGTH = 1_048_576;

/** Collections inside collections beyond this are refused. The deepest field of the schema is at 5. */
const MAX_DEPTH = 20;

/**
 * Parses one YAML document.
 *
 * Aliases (`*name`) are refused: a few lines of them can stand for billions of values.
 *
 * @param options.file Name of the file for error messages.
 * @throws {ConfigError} The text is empty, too long or not YAML.
 */
export function parseYaml(text: string, options: { readonly file?: string } = {}): unknown {
  const fail = (message: string) => {
    const file = options.file === undefined ? {} : { file: options.file };
    return new ConfigError([{ path: "", message, ...file }]);
  };
  if (text.length > MAX_YAML_LENGTH) throw fail(`is longer than ${MAX_YAML_LENGTH} characters`);
  // An editor that writes in place leaves an empty file for a moment; a reload must not take that for "no backends".
  if (text.split("\n").every((line) => /^\s*(#|$)/.test(line))) throw fail("is empty");
  try {
    return load(text, { schema: CORE_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: 0 });
  } catch (error) {
    throw fail(describe(error));
  }
}

/** Writes a tree of plain values as YAML. */
export function writeYaml(tree: unknown): string {
  return dump(tree, { lineWidth: 100, noRefs: true });
}

function describe(error: unknown): string {
  if (!(error instanceof YAMLException)) return "is not valid YAML";
  const mark = error.mark;
  const where = mark ? ` (line ${mark.line + 1}, column ${mark.column + 1})` : "";
  return `is not valid YAML: ${safeReason(error.reason)}${where}`;
}

/**
 * The parser's reason without any text of the file. An unquoted value that begins with `*` or `!` is an
 * alias or a tag to YAML, and its name would be in the reason.
 */
function safeReason(reason: string): string {
  if (reason.includes("alias")) {
    return 'aliases are not supported; put a value that begins with "*" in quotes';
  }
  if (/\btag\b/.test(reason)) {
    return 'tags are not supported; put a value that begins with "!" in quotes';
  }
  return reason.split(/"|!<|: /, 1)[0]?.trim() ?? "";
}
