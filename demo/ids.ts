/**
 * Identifiers that read well in a test failure: `resp_0003_0001` is a response of the third session.
 *
 * @module
 */

/** What an identifier names. The prefixes are those of the OpenAI Realtime API. */
export type IdPrefix = "sess" | "conv" | "event" | "item" | "resp" | "call";

/** Numbers everything one session creates; two sessions of a backend never share an identifier. */
export class IdSource {
  readonly #session: string;
  readonly #counts = new Map<IdPrefix, number>();

  /** @param sessionNumber The session's place in the order of upgrades, from 1. */
  constructor(sessionNumber: number) {
    this.#session = padded(sessionNumber);
  }

  /** The next identifier with this prefix. */
  next(prefix: IdPrefix): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    return `${prefix}_${this.#session}_${padded(count)}`;
  }
}

function padded(value: number): string {
  return String(value).padStart(4, "0");
}
