/**
 * Where usage records wait for the hub (spec §9): a SQLite database that outlives the process.
 *
 * @module
 */

import type { DatabaseSync } from "node:sqlite";
import type { DiskSync } from "./disk_sync.ts";
import {
  countRows,
  prepareStatements,
  prepareTables,
  readNumber,
  type RowCounts,
} from "./spool_tables.ts";

/** A record on its way into the spool. */
export interface SpoolEntry {
  /** Its place: above {@link Spool.lastSeq} and that of every earlier entry. The same entry keeps its place. */
  readonly seq: number;
  /** The record as JSON. */
  readonly body: string;
}

/** Records on their way out, oldest first. */
export interface SpoolBatch {
  /** The place of the last one. */
  readonly upTo: number;
  /** Each record as JSON. */
  readonly bodies: readonly string[];
}

/** What a {@link Spool} is opened with. */
export interface SpoolOptions {
  /** Records that may wait, and dead letters that are kept; one more drops the oldest. At least 1. */
  readonly maxRecords: number;
}

/** See the module. Its methods hold up the process for microseconds per record; they throw when the disk fails. */
export class Spool {
  readonly #database: DatabaseSync;
  readonly #maxRecords: number;
  readonly #statements: ReturnType<typeof prepareStatements>;
  /** Records that opening has dropped, because fewer may wait than did before. */
  readonly droppedAtOpening: number;
  #diskSync: DiskSync | undefined;
  #counts: RowCounts = { records: 0, deadLetters: 0 };
  /** After a failure, which may have happened on either side of the commit. At first, too. */
  #countsAreUncertain = true;

  /**
   * @param database Empty, or one that was a spool before. The spool closes it.
   * @throws {Error} It is something else's, or of another version.
   */
  constructor(database: DatabaseSync, options: SpoolOptions) {
    this.#database = database;
    this.#maxRecords = options.maxRecords;
    prepareTables(database);
    this.#statements = prepareStatements(database);
    this.droppedAtOpening = this.commit([]);
  }

  /** Records that wait. */
  get size(): number {
    return this.#counts.records;
  }

  /** Records that the hub refused. */
  get deadLetters(): number {
    return this.#counts.deadLetters;
  }

  /** The place of the newest record that waits; 0 when none does. */
  get lastSeq(): number {
    return readNumber(this.#database, "SELECT max(seq) AS value FROM records");
  }

  /**
   * Commits entries, after which they outlive the process. Whoever commits the same ones again, because it
   * could not be told whether the first try had worked, changes nothing.
   *
   * @returns How many of the oldest records were dropped to make room.
   */
  commit(entries: readonly SpoolEntry[]): number {
    return this.#transaction((counts) => {
      for (const { seq, body } of entries) {
        counts.records += Number(this.#statements.insert.run(seq, body).changes);
      }
      return this.#dropExcess(counts);
    });
  }

  /** The oldest records, at most `limit`; with `upTo` none from beyond that place. Undefined when there are none. */
  oldest(limit: number, options: { readonly upTo?: number } = {}): SpoolBatch | undefined {
    const rows = this.#statements.oldest.all(options.upTo ?? Number.MAX_SAFE_INTEGER, limit);
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    return { upTo: Number(last["seq"]), bodies: rows.map((row) => String(row["body"])) };
  }

  /** Removes all records up to a place: the hub has them. */
  remove(upTo: number): void {
    this.#transaction((counts) => {
      counts.records -= Number(this.#statements.remove.run(upTo).changes);
    });
  }

  /**
   * Moves all records up to a place to the dead letters, of which the oldest go when there are too many.
   *
   * @returns How many were moved, and how many old dead letters were dropped.
   */
  bury(
    upTo: number,
    letter: { readonly batchId: string; readonly httpStatus: number; readonly movedAt: string },
  ): { readonly moved: number; readonly dropped: number } {
    return this.#transaction((counts) => {
      const { batchId, httpStatus, movedAt } = letter;
      const { bury, remove } = this.#statements;
      const moved = Number(bury.run(batchId, httpStatus, movedAt, upTo).changes);
      remove.run(upTo);
      counts.records -= moved;
      counts.deadLetters += moved;
      return { moved, dropped: this.#dropExcess(counts) };
    });
  }

  /** Resolves when all that was committed before the call outlives a power loss, too. */
  async sync(): Promise<void> {
    await this.#diskSync?.sync();
  }

  /** Hands over what {@link sync} uses; without it, sync does nothing. */
  syncWith(diskSync: DiskSync): void {
    this.#diskSync = diskSync;
  }

  /** Closes the database and then, because of the locks, the other descriptor of its log. */
  async close(): Promise<void> {
    this.#database.close();
    await this.#diskSync?.close();
  }

  /** Drops the oldest rows of both tables beyond the limit. */
  #dropExcess(counts: RowCounts): number {
    const { dropRecords, dropDeadLetters } = this.#statements;
    let dropped = 0;
    if (counts.records > this.#maxRecords) {
      dropped += Number(dropRecords.run(counts.records - this.#maxRecords).changes);
      counts.records = this.#maxRecords;
    }
    if (counts.deadLetters > this.#maxRecords) {
      dropped += Number(dropDeadLetters.run(counts.deadLetters - this.#maxRecords).changes);
      counts.deadLetters = this.#maxRecords;
    }
    return dropped;
  }

  /** Runs changes that keep account of the rows; the account holds when they are committed. */
  #transaction<T>(run: (counts: RowCounts) => T): T {
    const counts = this.#countsAreUncertain ? countRows(this.#database) : { ...this.#counts };
    this.#countsAreUncertain = true;
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = run(counts);
      this.#database.exec("COMMIT");
      this.#counts = counts;
      this.#countsAreUncertain = false;
      return result;
    } catch (error) {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }
}
