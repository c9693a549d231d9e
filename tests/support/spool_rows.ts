/**
 * Reads the database of a router's spool, as an operator would: not through the router's own code.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";

/** A dead letter. */
export interface DeadLetterRow {
  readonly batchId: string;
  readonly httpStatus: number;
  readonly movedAt: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** What is in a spool. */
export interface SpoolRows {
  /** JSON of the records that wait, oldest first. */
  readonly records: readonly string[];
  readonly deadLetters: readonly DeadLetterRow[];
}

/** Reads a spool that no router uses. A log that a killed process left behind is taken into account. */
export function readSpool(path: string): SpoolRows {
  const database = new DatabaseSync(path);
  try {
    const records = database.prepare("SELECT body FROM records ORDER BY seq").all();
    const deadLetters = database.prepare("SELECT * FROM dead_letters ORDER BY seq").all();
    return {
      records: records.map(({ body }) => String(body)),
      deadLetters: deadLetters.map((row) => ({
        batchId: String(row["batch_id"]),
        httpStatus: Number(row["http_status"]),
        movedAt: String(row["moved_at"]),
        record: JSON.parse(String(row["body"])),
      })),
    };
  } finally {
    database.close();
  }
}
