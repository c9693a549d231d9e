/**
 * Turns what zod found into issues: one for each unknown key, with the nearest known one, and the error of a
 * free name instead of zod's own words.
 *
 * @module
 */

import { z } from "zod";
import { bareSchema } from "./field_list.ts";
import { isPlainName, type Issue, pathText } from "./issues.ts";
import { nearest } from "./suggest.ts";

/** The issues of a failed parse by `schema`. */
export function schemaIssues(error: z.ZodError, schema: z.core.$ZodType): readonly Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    if (issue.code === "unrecognized_keys") {
      const known = knownKeys(schema, issue.path);
      return issue.keys.map((key) => unknownKey(key, { path: issue.path, known }));
    }
    if (issue.code === "invalid_key") {
      const message = issue.issues[0]?.message ?? "is not a good name";
      return [{ path: pathText(issue.path.slice(0, -1)), message: `each name ${message}` }];
    }
    return [{ path: pathText(issue.path), message: issue.message }];
  });
}

function unknownKey(
  key: string,
  where: { readonly path: readonly PropertyKey[]; readonly known: readonly string[] },
): Issue {
  const hint = nearest(key, where.known);
  const question = hint === undefined ? "; " : `, did you mean ${hint}? `;
  const known = `known here: ${where.known.join(", ")}`;
  // A suggestion shows that the key is a misspelt name; anything else may be a secret in the wrong place.
  return hint !== undefined || isPlainName(key)
    ? { path: keyPath(where.path, key), message: `unknown field${question}${known}` }
    : { path: pathText(where.path), message: `has an unknown field; ${known}` };
}

function keyPath(path: readonly PropertyKey[], key: string): string {
  const parent = pathText(path);
  const name = /^[\x20-\x7e]+$/.test(key) ? key : "*";
  return parent === "" ? name : `${parent}.${name}`;
}

/** The keys of the mapping at a path of the data. */
function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at = bareSchema(schema);
  for (const key of path) {
    if (at instanceof z.ZodObject) at = bareSchema(at.shape[String(key)] ?? z.never());
    else if (at instanceof z.ZodArray) at = bareSchema(at.element);
    else if (at instanceof z.ZodRecord) at = bareSchema(at.valueType);
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}
