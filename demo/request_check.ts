/**
 * From a failed schema to the `error` event that names the field.
 *
 * @module
 */

import type { z } from "zod";
import { RequestError } from "./request_error.ts";

/** The first problem of a failed check, with the path to the field below `under`. */
export function requestErrorOf(
  failure: z.ZodError,
  value: unknown,
  options: { readonly under?: string } = {},
): RequestError {
  const issue = deepest(failure.issues);
  const path = issue?.path ?? [];
  const param = [...(options.under === undefined ? [] : [options.under]), ...path.map(String)].join(
    ".",
  );
  if (valueAt(value, path) === undefined) {
    return new RequestError(
      "missing_required_parameter",
      `Missing required parameter: '${param}'.`,
      {
        param,
      },
    );
  }
  const message = `Invalid value for '${param}': ${issue?.message ?? "not accepted"}.`;
  return new RequestError("invalid_value", message, { param });
}

type Issue = z.core.$ZodIssue;

/** A union fails as a whole; the complaint of its first alternative names the field. */
function deepest(issues: readonly Issue[]): Issue | undefined {
  const [issue] = issues;
  if (issue?.code !== "invalid_union") return issue;
  const inner = deepest(issue.errors[0] ?? []);
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] };
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}
