/**
 * The kinds of values that fields have. Each refuses with the same sentence, `must be <what is allowed>; found
 * <kind>`, and never repeats a text of the file.
 *
 * @module
 */

import { z } from "zod";
import { refusal } from "../issues.ts";
import { nearest } from "../suggest.ts";
import { allowedTexts } from "./field.ts";

/** Limits of a number, both inclusive. */
export interface NumberRange {
  readonly min: number;
  /** @default {Number.MAX_SAFE_INTEGER} */
  readonly max?: number;
}

/** `true` or `false`. */
export function flag(): z.ZodBoolean {
  const allowed = "true or false";
  return describe(z.boolean({ error: (issue) => refusal(allowed, issue.input) }), allowed);
}

/** A whole number within a range. */
export function integer({ min, max }: NumberRange): z.ZodInt {
  const allowed = max === undefined
    ? `a whole number of at least ${min}`
    : `a whole number from ${min} to ${max}`;
  const error = numberError(allowed);
  const schema = z.int({ error }).min(min, { error }).max(max ?? Number.MAX_SAFE_INTEGER, {
    error,
  });
  return describe(schema, allowed);
}

/** A number that satisfies `test`. */
export function decimal(allowed: string, test: (value: number) => boolean): z.ZodNumber {
  const error = numberError(allowed);
  return describe(z.number({ error }).refine(test, { error }), allowed);
}

/** One of a few words. */
export function oneOf<const T extends readonly [string, ...string[]]>(
  words: T,
): z.ZodEnum<z.core.util.ToEnum<T[number]>> {
  const allowed = `one of ${words.join(", ")}`;
  const error = (issue: { readonly input?: unknown }) => {
    if (typeof issue.input !== "string" || issue.input === "") return refusal(allowed, issue.input);
    const hint = nearest(issue.input, words);
    const found = hint === undefined
      ? "found a different string"
      : `found a different string, did you mean ${hint}?`;
    return refusal(allowed, issue.input, { found });
  };
  return describe(z.enum(words, { error }), allowed);
}

/**
 * A string that satisfies `fault`.
 *
 * @param fault Answers `undefined` for a good string, `""` for "a different string", or says what was found.
 */
export function text(allowed: string, fault: (value: string) => string | undefined): z.ZodString {
  const schema = z.string({
    error: (issue) => {
      const quoted = typeof issue.input === "number" || typeof issue.input === "boolean";
      const found = `found a ${typeof issue.input}: put it in quotes`;
      return refusal(allowed, issue.input, quoted ? { found } : {});
    },
  }).superRefine((value, context) => {
    const problem = fault(value);
    if (problem === undefined) return;
    const kind = value === "" ? "an empty string" : problem || "a different string";
    context.addIssue({
      code: "custom",
      message: refusal(allowed, value, { found: `found ${kind}` }),
    });
  });
  return describe(schema, allowed);
}

/** A list of `item`. */
export function list<T extends z.ZodType>(item: T, allowed: string): z.ZodArray<T> {
  return describe(z.array(item, { error: (issue) => refusal(allowed, issue.input) }), allowed);
}

/** A mapping of free names to `value`; `options.allowed` says so in words. */
export function record<T extends z.ZodType>(
  name: z.ZodString,
  value: T,
  options: { readonly allowed: string },
): z.ZodRecord<z.ZodString, T> {
  const { allowed } = options;
  const error = (issue: { readonly input?: unknown }) => refusal(allowed, issue.input);
  return describe(z.record(name, value, { error }), allowed);
}

/** Notes what `schema` allows, for the reference. */
export function describe<T extends z.ZodType>(schema: T, allowed: string): T {
  allowedTexts.add(schema, { allowed });
  return schema;
}

/** A number may be shown where a number is allowed: nobody's secret is a thread count. */
function numberError(allowed: string) {
  return ({ input }: { readonly input?: unknown }) =>
    refusal(allowed, input, typeof input === "number" ? { found: `found ${input}` } : {});
}
