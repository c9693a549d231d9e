/**
 * The tables of the spool and what is done with them.
 *
 * Records are rows in the order in which they came, and that order is the only index. One over `record_id`
 * was measured and left out: its keys are random, so with a million records waiting each commit touched as
 * many pages as it had records, and checkpoints held the process up for 20 to 130 ms.
 *
 * @module
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Rows of the two tables. */
export interface RowCounts {
  records: number;
  deadLetters: number;
}

/** Counts them, which takes about 10 ms for a million. */
export function countRows(database: DatabaseSync): RowCounts {
  return {
    records: readNumber(database, "SELECT count(*) AS value FROM records"),
    deadLetters: readNumber(database, "SELECT count(*) AS value FROM dead_letters"),
  };
}

/** Format of the tables, in `user_version`. */
const FORMAT = 1;
const TABLES = `
  CREATE TABLE records (seq INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
  CREATE TABLE dead_letters (
    seq INTEGER PRIMARY KEY,
    batch_id TEXT NOT NULL,
    http_status INTEGER NOT NULL,
    moved_at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
`;

/** Makes the tables, unless they are there. Writes in any case, so that the log exists and the lock is taken. */
export function prepareTables(database: DatabaseSync): void {
  const format = readNumber(database, "SELECT user_version AS value FROM pragma_user_version");
  const tables = readNumber(database, "SELECT count(*) AS value FROM sqlite_schema");
  if (format !== FORMAT && (format !== 0 || tables > 0)) {
    throw new Error(
      format === 0
        ? "the file is a database of something else"
        : `its format is ${format}, this version of the router knows ${FORMAT}`,
    );
  }
  database.exec(`
    BEGIN IMMEDIATE;
    ${format === FORMAT ? "" : TABLES}
    PRAGMA user_version = ${FORMAT};
    COMMIT;
  `);
}

/** Every statement that runs more than once. */
export function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    insert: prepare("INSERT OR IGNORE INTO records (seq, body) VALUES (?, ?)"),
    oldest: prepare("SELECT seq, body FROM records WHERE seq <= ? ORDER BY seq LIMIT ?"),
    remove: prepare("DELETE FROM records WHERE seq <= ?"),
    bury: prepare(
      "INSERT INTO dead_letters (batch_id, http_status, moved_at, body) " +
        "SELECT ?, ?, ?, body FROM records WHERE seq <= ? ORDER BY seq",
    ),
    dropRecords: prepare(
      "DELETE FROM records WHERE seq IN (SELECT seq FROM records ORDER BY seq LIMIT ?)",
    ),
    dropDeadLetters: prepare(
      "DELETE FROM dead_letters WHERE seq IN (SELECT seq FROM dead_letters ORDER BY seq LIMIT ?)",
    ),
  };
}

/** The only value of a query. */
export function readNumber(database: DatabaseSync, sql: string): number {
  return Number(database.prepare(sql).get()?.["value"] ?? 0);
}
