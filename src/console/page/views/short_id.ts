/**
 * Ids as they stand in tables.
 *
 * @module
 */

/** The first block of a UUID: enough to find a session in the log. */
export function shortId(id: string): string {
  return id.split("-", 1)[0] ?? id;
}
