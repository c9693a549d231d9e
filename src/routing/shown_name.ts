/**
 * A caller's own string, fit to be shown in an error message.
 *
 * @module
 */

const MAX_SHOWN_LENGTH = 200;

/** Controls, invisible formatting (bidirectional overrides among it), line separators, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Removes what cannot be seen and cuts the rest to 200 characters. */
export function shownName(name: string): string {
  // Cut first, generously, so that a huge name costs nothing.
  const clean = [...name.slice(0, 4 * MAX_SHOWN_LENGTH).replace(UNPRINTABLE, "")];
  if (clean.length <= MAX_SHOWN_LENGTH && name.length <= 4 * MAX_SHOWN_LENGTH) {
    return clean.join("");
  }
  return `${clean.slice(0, MAX_SHOWN_LENGTH).join("")}…`;
}
