/**
 * The backends' credentials as the hub delivers them (spec §9). They are kept in memory only and never logged.
 *
 * @module
 */

import { z } from "zod";
import type { Log } from "../observability/mod.ts";
import { backoffMs } from "./backoff.ts";
import type { CredentialsAnswer, HubClient } from "./hub_client.ts";
import type { HubClock } from "./hub_clock.ts";

/** What {@link Credentials} work with. */
export interface CredentialsOptions {
  readonly hub: Pick<HubClient, "fetchCredentials">;
  /** Time from one answer to the next request. After a failure it is the backoff, if that is less. */
  readonly refreshMs: number;
  readonly clock: HubClock;
  readonly random: () => number;
  readonly log: Log;
}

/** Unknown fields are left out, so that a newer hub may send more. The key travels in a header. */
const ANSWER = z.object({
  credentials: z.record(
    z.string().max(128),
    z.object({ api_key: z.string().regex(/^[\x21-\x7e]{1,4096}$/) }),
  ),
});

/** See the module. An answer replaces all that was known; a request that fails changes nothing. */
export class Credentials {
  readonly #options: CredentialsOptions;
  readonly #stop = new AbortController();
  #keys: ReadonlyMap<string, string> = new Map();
  #timer: Disposable | undefined;
  #refreshing: Promise<void> = Promise.resolve();
  #failures = 0;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /** The key that the hub delivered for a backend; undefined when it delivered none. */
  of(backend: string): string | undefined {
    return this.#keys.get(backend);
  }

  /** Asks now and from then on. Resolves when the first request has ended, one way or the other. */
  async start(): Promise<void> {
    this.#refreshing = this.#refresh();
    await this.#refreshing;
  }

  /** Asks no more, and ends a request that is under way. What is known stays. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    await this.#refreshing;
  }

  async #refresh(): Promise<void> {
    const { hub, refreshMs, clock, random, log } = this.#options;
    const { signal } = this.#stop;
    const answer = await hub.fetchCredentials(signal);
    if (signal.aborted) return;
    const result = answer.kind === "failed" ? answer : parse(answer);
    let waitMs = refreshMs;
    if (result instanceof Map) {
      this.#failures = 0;
      this.#take(result);
    } else {
      this.#failures++;
      waitMs = Math.min(waitMs, backoffMs(this.#failures, { random, ...result }));
      log.warn("no new credentials from the hub, the last known ones stay", {
        cause: result.cause,
        retry_ms: Math.round(waitMs),
      });
    }
    this.#timer = clock.after(waitMs, () => {
      this.#refreshing = this.#refresh();
    });
  }

  #take(keys: ReadonlyMap<string, string>): void {
    const changed = keys.size !== this.#keys.size ||
      [...keys].some(([backend, key]) => this.#keys.get(backend) !== key);
    this.#keys = keys;
    if (changed) this.#options.log.info("new credentials from the hub", { backends: keys.size });
  }
}

function parse({ text }: Extract<CredentialsAnswer, { kind: "answer" }>) {
  const invalid = { cause: "answer invalid" } as const;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid;
  }
  // Why it is invalid stays unsaid: zod's words may quote what was found.
  const { data } = ANSWER.safeParse(value);
  if (data === undefined) return invalid;
  return new Map(Object.entries(data.credentials).map(([name, entry]) => [name, entry.api_key]));
}
