/**
 * Which names a request's `Host` may have. This is what stops DNS rebinding, where a page's own name
 * is made to resolve to the router so that its Origin and Host agree (spec §7).
 *
 * @module
 */

import { RouterError } from "../http/mod.ts";
import { parseAuthority, withoutDefaultPort } from "./authority.ts";

/** An entry of `server.allowed_hosts` that could not be compiled. */
export interface AllowedHostProblem {
  /** Position in the list. */
  readonly index: number;
  readonly problem: string;
}

interface PortRule {
  /** True when an entry without a port was given. */
  any: boolean;
  /** Ports of entries with one; null stands for 80, 443 and none. */
  readonly ports: Set<number | null>;
}

const WILDCARD = "*.";

/** The compiled list `server.allowed_hosts`: `name`, `name:port`, `*.domain`, IP literals. */
export class AllowedHosts {
  readonly #names = new Map<string, PortRule>();
  readonly #domains = new Map<string, PortRule>();
  readonly #problems: AllowedHostProblem[] = [];

  constructor(entries: readonly string[]) {
    for (const [index, entry] of entries.entries()) this.#add(entry, index);
  }

  /** Faulty entries, which match nothing. */
  get problems(): readonly AllowedHostProblem[] {
    return this.#problems;
  }

  /**
   * Returns null when a request with this `Host` may go on, else the refusal (`host_not_allowed`).
   * An empty list allows every host, a missing or malformed one included.
   */
  check(host: string | null): RouterError | null {
    const unrestricted = this.#names.size === 0 && this.#domains.size === 0 &&
      this.#problems.length === 0;
    if (unrestricted || (host !== null && this.#matches(host))) return null;
    return new RouterError(
      "host_not_allowed",
      "The Host of this request is not one of this server",
    );
  }

  #matches(text: string): boolean {
    const authority = parseAuthority(text);
    if (authority === null) return false;
    const port = withoutDefaultPort(authority.port);
    if (admits(this.#names.get(authority.host), port)) return true;
    // `*.example.com` stands for names below it at any depth, never for example.com itself.
    for (
      let dot = authority.host.indexOf(".");
      dot > 0;
      dot = authority.host.indexOf(".", dot + 1)
    ) {
      if (admits(this.#domains.get(authority.host.slice(dot + 1)), port)) return true;
    }
    return false;
  }

  #add(entry: string, index: number): void {
    const isDomain = entry.startsWith(WILDCARD);
    const text = isDomain ? entry.slice(WILDCARD.length) : entry;
    // People write IPv6 literals without brackets too; with a port that would be ambiguous.
    const bare = !isDomain && /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text);
    const authority = parseAuthority(bare ? `[${text}]` : text);
    if (authority === null || (isDomain && isAddress(authority.host))) {
      const problem = "expected a host name, name:port, *.domain or an IP address";
      this.#problems.push({ index, problem });
      return;
    }
    const map = isDomain ? this.#domains : this.#names;
    const rule = map.get(authority.host) ?? { any: false, ports: new Set<number | null>() };
    if (authority.port === null) rule.any = true;
    else rule.ports.add(withoutDefaultPort(authority.port));
    map.set(authority.host, rule);
  }
}

function admits(rule: PortRule | undefined, port: number | null): boolean {
  return rule !== undefined && (rule.any || rule.ports.has(port));
}

function isAddress(host: string): boolean {
  return host.startsWith("[") || /^[0-9.]+$/.test(host);
}
