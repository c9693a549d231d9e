/**
 * Makes a value and everything in it immutable.
 *
 * @module
 */

/** Freezes plain objects and lists, all the way down, and returns the same value. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
