/**
 * Sends what waits in the spool to the hub, in batches, one at a time (spec §9).
 *
 * ```
 *            flush interval          2xx: removed from the spool
 *   ┌─ idle ────────────────▶ sending ───────────────────────────▶ idle, or sending when a batch is full
 *   │                          │   ▲
 *   │   4xx: dead letters,     │   │ backoff, Retry-After
 *   └── else kept ◀────────────┘───┘
 * ```
 *
 * @module
 */

import type { Log } from "../observability/mod.ts";
import { backoffMs } from "./backoff.ts";
import type { HubClient, SendOutcome } from "./hub_client.ts";
import type { HubClock } from "./hub_clock.ts";
import type { Spool } from "./spool.ts";

/** What a {@link HubDelivery} works with. */
export interface HubDeliveryOptions {
  readonly spool: Pick<Spool, "size" | "oldest" | "remove" | "bury">;
  readonly hub: Pick<HubClient, "batchOf" | "sendRecords">;
  /** Records of a batch at most. */
  readonly batchSize: number;
  /** Time between two batches when the hub keeps up. */
  readonly flushIntervalMs: number;
  readonly clock: HubClock;
  /** Milliseconds since 1970. */
  readonly unixNow: () => number;
  readonly random: () => number;
  readonly log: Log;
  readonly onDelivered: (count: number) => void;
  readonly onDeadLettered: (count: number) => void;
  /** Old dead letters that had to make room. */
  readonly onDropped: (count: number) => void;
}

/** See the module. */
export class HubDelivery {
  readonly #options: HubDeliveryOptions;
  readonly #stop = new AbortController();
  #timer: Disposable | undefined;
  #sending: Promise<unknown> | undefined;
  #closing = false;
  /** In a row. */
  #failures = 0;
  /** End of a batch that has failed: it is sent again as it was, though more records wait by now. */
  #retryUpTo: number | undefined;

  constructor(options: HubDeliveryOptions) {
    this.#options = options;
  }

  /** Sends what a former run has left, at once, and goes on. */
  start(): void {
    this.#wait(0);
  }

  /** Sends what waits, for at most `limitMs` and as long as the hub takes it, then stops. The rest stays. */
  async close(limitMs: number): Promise<void> {
    this.#closing = true;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    using _limit = this.#options.clock.after(limitMs, () => this.#stop.abort());
    await this.#sending;
    while (!this.#stop.signal.aborted && await this.#sendBatch() === "accepted");
  }

  #wait(ms: number): void {
    this.#timer = this.#options.clock.after(ms, () => {
      this.#timer = undefined;
      this.#sending = this.#sendAndWait();
    });
  }

  async #sendAndWait(): Promise<void> {
    const { spool, batchSize, flushIntervalMs, random, log } = this.#options;
    const result = await this.#sendBatch();
    this.#sending = undefined;
    if (this.#closing) return;
    if (result === "none") return this.#wait(flushIntervalMs);
    if (result === "accepted") return this.#wait(spool.size >= batchSize ? 0 : flushIntervalMs);
    const waitMs = backoffMs(this.#failures, { random, ...result });
    log.warn("usage records wait for the hub", {
      cause: result.cause,
      failures: this.#failures,
      retry_ms: Math.round(waitMs),
    });
    this.#wait(waitMs);
  }

  /** Sends one batch and does with it what the hub's answer says. Never rejects. */
  async #sendBatch(): Promise<"none" | "accepted" | Failed> {
    const { spool, hub, batchSize } = this.#options;
    try {
      const batch = spool.oldest(batchSize, this.#limit()) ?? spool.oldest(batchSize);
      this.#retryUpTo = batch?.upTo;
      if (batch === undefined) return "none";
      const { id, body } = hub.batchOf(batch.bodies);
      const outcome = await hub.sendRecords({ id, body }, this.#stop.signal);
      return this.#settle(outcome, { id, upTo: batch.upTo, count: batch.bodies.length });
    } catch (error) {
      this.#failures++;
      return { cause: `spool: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  #settle(outcome: SendOutcome, batch: SentBatch): "accepted" | Failed {
    const { spool, log, onDelivered } = this.#options;
    switch (outcome.kind) {
      case "accepted":
        spool.remove(batch.upTo);
        this.#retryUpTo = undefined;
        if (this.#failures > 0) log.info("the hub takes usage records again");
        this.#failures = 0;
        onDelivered(batch.count);
        return "accepted";
      case "refused":
        this.#bury(outcome.status, batch);
        // A hub that refuses one batch, because of its token for example, may refuse all: not too fast.
        this.#failures++;
        return { cause: `status ${outcome.status}` };
      case "failed":
        this.#failures++;
        return outcome;
    }
  }

  #bury(httpStatus: number, batch: SentBatch): void {
    const { spool, log, unixNow, onDeadLettered, onDropped } = this.#options;
    const movedAt = new Date(unixNow()).toISOString();
    const { moved, dropped } = spool.bury(batch.upTo, { batchId: batch.id, httpStatus, movedAt });
    this.#retryUpTo = undefined;
    log.error("the hub refused usage records, which are dead letters now", {
      status: httpStatus,
      batch_id: batch.id,
      records: moved,
    });
    onDeadLettered(moved);
    if (dropped > 0) onDropped(dropped);
  }

  #limit(): { readonly upTo?: number } {
    return this.#retryUpTo === undefined ? {} : { upTo: this.#retryUpTo };
  }
}

interface SentBatch {
  readonly id: string;
  readonly upTo: number;
  readonly count: number;
}

interface Failed {
  /** Why, in words that may be logged. */
  readonly cause: string;
  readonly retryAfterMs?: number;
}
