/**
 * The patterns of `server.cors.allow_origins`, compiled once into look-ups (spec §7).
 *
 * @module
 */

import { parseAuthority } from "./authority.ts";
import { type Origin, parseOrigin } from "./origin.ts";

/** One compiled pattern. */
export type OriginPattern =
  | { readonly kind: "any" }
  | { readonly kind: "exact"; readonly scheme: string; readonly authority: string }
  /** Any port of a host, its absence included. A null scheme stands for every scheme. */
  | { readonly kind: "any-port"; readonly scheme: string | null; readonly host: string };

/** A pattern, or what is wrong with it in words for the operator. */
export type OriginPatternResult =
  | { readonly ok: true; readonly pattern: OriginPattern }
  | { readonly ok: false; readonly problem: string };

const ANY_PORT_SUFFIX = ":*";

/** Compiles an exact origin, `*`, `<scheme>://<host>:*` or `<host>:*`. */
export function parseOriginPattern(text: string): OriginPatternResult {
  if (text === "*") return { ok: true, pattern: { kind: "any" } };
  if (text === "null") return refused("the origin null is never allowed: it identifies nobody");
  if (text.endsWith(ANY_PORT_SUFFIX)) {
    return parseAnyPort(text.slice(0, -ANY_PORT_SUFFIX.length));
  }
  const origin = parseOrigin(text);
  if (origin === null) return refused(hintFor(text));
  return {
    ok: true,
    pattern: { kind: "exact", scheme: origin.scheme, authority: origin.authority },
  };
}

function parseAnyPort(text: string): OriginPatternResult {
  if (text.includes("://")) {
    const origin = parseOrigin(text);
    // `https://a:443:*` must not pass because its default port was dropped: compare what was written.
    const written = parseAuthority(text.slice(text.indexOf("://") + 3));
    if (origin === null || written?.port !== null) return refused(EXPECTED);
    return { ok: true, pattern: { kind: "any-port", scheme: origin.scheme, host: origin.host } };
  }
  const authority = parseAuthority(text);
  if (authority === null || authority.port !== null) return refused(EXPECTED);
  return { ok: true, pattern: { kind: "any-port", scheme: null, host: authority.host } };
}

const EXPECTED =
  "expected an origin such as https://console.example.com, or *, <scheme>://<host>:* or <host>:*";

function hintFor(text: string): string {
  if (text.endsWith("/")) return `${EXPECTED}; an origin has no trailing slash`;
  if (text.includes("*")) return `${EXPECTED}; a wildcard may only stand for the port`;
  if (!text.includes("://")) return `${EXPECTED}; the scheme is missing`;
  return EXPECTED;
}

function refused(problem: string): OriginPatternResult {
  return { ok: false, problem };
}

/** How an origin is listed: by a pattern that names it, by `*` only, or not at all. */
export type OriginMatch = "named" | "any" | "none";

/** A pattern that could not be compiled. */
export interface OriginPatternProblem {
  /** Position in the list. */
  readonly index: number;
  readonly problem: string;
}

/** A compiled list of patterns. One look-up costs the same however long the list is. */
export class OriginMatcher {
  #any = false;
  readonly #exact = new Set<string>();
  readonly #anyPort = new Set<string>();

  /** Takes compiled patterns; see {@link compileOrigins} for texts. */
  constructor(patterns: Iterable<OriginPattern>) {
    for (const pattern of patterns) {
      switch (pattern.kind) {
        case "any":
          this.#any = true;
          break;
        case "exact":
          this.#exact.add(`${pattern.scheme}://${pattern.authority}`);
          break;
        case "any-port":
          this.#anyPort.add(`${pattern.scheme ?? ""}://${pattern.host}`);
      }
    }
  }

  /** How `origin` is listed. An origin that parsed is never the literal `null`. */
  match(origin: Origin): OriginMatch {
    const { scheme, host, authority } = origin;
    const named = this.#exact.has(`${scheme}://${authority}`) ||
      this.#anyPort.has(`${scheme}://${host}`) || this.#anyPort.has(`://${host}`);
    if (named) return "named";
    return this.#any ? "any" : "none";
  }
}

/** Compiles a whole list; faulty patterns are left out of the matcher and reported. */
export function compileOrigins(
  texts: readonly string[],
): { readonly matcher: OriginMatcher; readonly problems: readonly OriginPatternProblem[] } {
  const patterns: OriginPattern[] = [];
  const problems: OriginPatternProblem[] = [];
  for (const [index, text] of texts.entries()) {
    const result = parseOriginPattern(text);
    if (result.ok) patterns.push(result.pattern);
    else problems.push({ index, problem: result.problem });
  }
  return { matcher: new OriginMatcher(patterns), problems };
}
