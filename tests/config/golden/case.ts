/**
 * The form of the golden cases: for one field a good value with what it becomes, and a bad value with the
 * exact error.
 *
 * @module
 */

/** One field of the schema. */
export interface GoldenCase {
  /** As `listFields` writes it: `backends[].url`. */
  readonly field: string;
  /** What the file says and the effective value. */
  readonly valid: readonly [written: unknown, effective: unknown];
  /** What the file says and the whole message of the error. `undefined` = the field is left out. */
  readonly invalid: readonly [written: unknown, message: string];
  /** More of the file around the field, as in a list entry that needs another form. @default {{}} */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** Where the error is reported, if not at the field. */
  readonly at?: string;
}

const AFTER = {
  duration: 'must be a duration, such as "30s", "1m30s", "250ms" or "0"; ',
  positive: 'must be a duration above zero, such as "30s", "1m30s" or "250ms"; ',
} as const;

/** A duration that may be zero. */
export function duration(field: string): GoldenCase {
  return {
    field,
    valid: ["1m30s", 90_000],
    invalid: [30, `${AFTER.duration}found a number without a unit: write "30s" for 30 seconds`],
  };
}

/** A duration that may not be zero. */
export function positive(field: string): GoldenCase {
  return { field, valid: ["250ms", 250], invalid: ["0", `${AFTER.positive}found zero`] };
}

/** A flag, set to the opposite of its default. */
export function flag(field: string, effective: boolean): GoldenCase {
  return {
    field,
    valid: [effective, effective],
    invalid: ["yes", "must be true or false; found a string"],
  };
}

/** A whole number from 1 to `max`. */
export function count(field: string, max: number): GoldenCase {
  return {
    field,
    valid: [7, 7],
    invalid: [0, `must be a whole number from 1 to ${max}; found 0`],
  };
}

/** A text of one line. */
export function words(field: string): GoldenCase {
  return {
    field,
    valid: ["Sprache für alle", "Sprache für alle"],
    invalid: [12, "must be a text of one line; found a number: put it in quotes"],
  };
}

/** The path of a file. */
export function filePath(field: string): GoldenCase {
  return {
    field,
    valid: ["some/file", "some/file"],
    invalid: ["", "must be the path of a file or folder; found an empty string"],
  };
}

/** A URL path. */
export function urlPath(field: string): GoldenCase {
  return {
    field,
    valid: ["/some/path", "/some/path"],
    invalid: ["some/path", 'must be a path that begins with "/"; found a different string'],
  };
}
