/**
 * Brings usage records into the spool in groups, off the relay path (spec §9).
 *
 * @module
 */

import type { Log } from "../observability/mod.ts";
import { backoffMs } from "./backoff.ts";
import type { HubClock } from "./hub_clock.ts";
import type { SpoolEntry } from "./spool.ts";
import type { UsageRecord, UsageSink } from "./usage_record.ts";

/** What a group commit needs of the spool. */
export interface CommitTarget {
  readonly lastSeq: number;
  /** Returns how many old records were dropped to make room. */
  commit(entries: readonly SpoolEntry[]): number;
  /** Resolves when what was committed before outlives a power loss. */
  sync(): Promise<void>;
}

/** What a {@link GroupCommit} works with. */
export interface GroupCommitOptions {
  readonly spool: CommitTarget;
  readonly clock: HubClock;
  readonly random: () => number;
  readonly log: Log;
  /** Told how many records were lost: dropped from the full spool, or because it took none for too long. */
  readonly onDropped: (count: number) => void;
}

/** From a record's arrival to its commit; spec §9 allows 100 ms, the disk and a busy process included. */
const COMMIT_DELAY_MS = 20;
/** Records of one transaction: about 0.4 ms. What is beyond has its turn after other work. */
const MAX_GROUP = 256;
/** Records that wait in memory while the spool fails. */
export const MAX_WAITING = 10_000;

/** See the module. */
export class GroupCommit implements UsageSink {
  readonly #options: GroupCommitOptions;
  #waiting: { readonly seq: number; readonly record: UsageRecord }[] = [];
  #lastSeq: number;
  #timer: Disposable | undefined;
  #failures = 0;
  #syncFails = false;
  #closed = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#lastSeq = options.spool.lastSeq;
  }

  /** Records that no commit has taken yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Keeps the record for the next commit. After {@link close} it counts as dropped. */
  record(record: UsageRecord): void {
    if (this.#closed) return this.#options.onDropped(1);
    this.#waiting.push({ seq: ++this.#lastSeq, record });
    if (this.#waiting.length > MAX_WAITING) {
      this.#waiting.shift();
      this.#options.onDropped(1);
    }
    this.#arm(COMMIT_DELAY_MS);
  }

  /** Commits all that waits. Resolves when it outlives a power loss, or cannot be made to. Never rejects. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 && this.#commitGroup());
    await this.#sync();
  }

  /** Commits what waits and takes nothing more; what the spool does not take now is lost and counted. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const lost = this.#waiting.length;
    if (lost === 0) return;
    this.#waiting = [];
    this.#options.log.error("usage records lost", { records: lost });
    this.#options.onDropped(lost);
  }

  #arm(delayMs: number): void {
    this.#timer ??= this.#options.clock.after(delayMs, () => {
      this.#timer = undefined;
      const committed = this.#commitGroup();
      if (committed) void this.#sync();
      if (this.#waiting.length > 0) this.#arm(committed ? 0 : this.#retryMs());
    });
  }

  /** One transaction. Answers whether it worked; if not, the same records keep their places for the next try. */
  #commitGroup(): boolean {
    const { spool, log, onDropped } = this.#options;
    const group = this.#waiting.slice(0, MAX_GROUP);
    try {
      const dropped = spool.commit(group.map(toEntry));
      this.#waiting = this.#waiting.slice(group.length);
      if (this.#failures > 0) log.info("usage spool takes records again");
      this.#failures = 0;
      if (dropped > 0) onDropped(dropped);
      return true;
    } catch (error) {
      this.#failures++;
      log.error("usage spool takes no records", {
        detail: detailOf(error),
        waiting: this.#waiting.length,
      });
      return false;
    }
  }

  async #sync(): Promise<void> {
    const { spool, log } = this.#options;
    try {
      await spool.sync();
      this.#syncFails = false;
    } catch (error) {
      if (!this.#syncFails) log.error("usage spool cannot be synced", { detail: detailOf(error) });
      this.#syncFails = true;
    }
  }

  #retryMs(): number {
    return backoffMs(this.#failures, { random: this.#options.random });
  }
}

function toEntry({ seq, record }: { readonly seq: number; readonly record: UsageRecord }) {
  return { seq, body: JSON.stringify(record) };
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
