/**
 * What is wrong with a configuration, in words that help and hold no secret: an issue names the path in the
 * file, the kind of the value and what is allowed (spec §2). No text of the file is ever repeated, since a
 * secret may stand in the wrong place.
 *
 * @module
 */

/** One problem of one value of one file. */
export interface Issue {
  /** Where: `realtime.idle_timeout`, `backends[0].url`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong and what is allowed. Holds no secret. */
  readonly message: string;
  /** The file, where it is known. */
  readonly file?: string;
}

/** A configuration that cannot be used, with everything that is wrong with it. The process exits 2. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly issues: readonly Issue[];

  /** @param issues At least one; the message has one line for each. */
  constructor(issues: readonly Issue[]) {
    super(issues.map(issueLine).join("\n"));
    this.issues = issues;
  }
}

/** `file: path: message`, leaving out what is not known. */
export function issueLine(issue: Issue): string {
  return [issue.file ?? "", issue.path, issue.message].filter((part) => part !== "").join(": ");
}

/** Words joined by `_`, `-` or `.`, with a few digits after a word: `idle_timeout`, `X-Team-2`, `gpu1-a`. */
const PLAIN_NAME = /^[A-Za-z]+\d{0,3}(?:[_.-][A-Za-z]*\d{0,3})*$/;

/**
 * Whether a key of the file may stand in a message. A missing space, as in `{key:sk-12ab}`, makes a secret
 * part of a key, so keys that do not look like names are not repeated.
 */
export function isPlainName(key: string): boolean {
  return key.length <= 40 && PLAIN_NAME.test(key);
}

/** Writes a path of keys and list indexes: `backends[0].headers.X-Team`; unlike names are written `*`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const name = isPlainName(String(key)) ? String(key) : "*";
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/** The kind of a value in words; never the value. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return "nothing (null)";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}

/**
 * The message for a value that is not what its field allows.
 *
 * @param allowed What the field allows, as in `a whole number of at least 1`.
 * @param value The refused value; only its kind is used. `undefined` means that it is missing.
 * @param options.found Says more than the kind, as in `found a string with a query`.
 */
export function refusal(
  allowed: string,
  value: unknown,
  options: { readonly found?: string } = {},
): string {
  if (value === undefined) return `is required: write ${allowed}`;
  return `must be ${allowed}; ${options.found ?? `found ${kindOf(value)}`}`;
}
