/**
 * Opens the spool's database. This is the only file that loads `node:sqlite`, and it is itself loaded when a
 * control plane is started.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { DiskSync } from "./disk_sync.ts";
import { Spool, type SpoolOptions } from "./spool.ts";
import { prepareSpoolFile } from "./spool_file.ts";

/** The spool cannot be opened. The message is one line for the operator. */
export class SpoolError extends Error {
  override readonly name = "SpoolError";
}

/**
 * Opens the spool at `path`, made if it is missing.
 *
 * @throws {SpoolError} Not writable, not a spool, or in use already, such as by another router.
 */
export async function openSpool(path: string, options: SpoolOptions): Promise<Spool> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(await prepareSpoolFile(path));
    // Exclusive: two routers must not send from one spool. Synced by DiskSync, off the event loop.
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
    `);
    const mode = readText(database, "PRAGMA journal_mode");
    if (mode !== "wal") throw new Error(`write-ahead log not possible, journal mode is ${mode}`);
    const spool = new Spool(database, options);
    const log = await Deno.open(`${path}-wal`, { read: true, write: true });
    spool.syncWith(new DiskSync(log));
    return spool;
  } catch (error) {
    database?.close();
    throw new SpoolError(`usage spool ${path} cannot be opened: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

function readText(database: DatabaseSync, pragma: string): string {
  return String(Object.values(database.prepare(pragma).get() ?? {})[0]);
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message === "database is locked") return "it is in use already";
  return message.split("\n", 1)[0] ?? "";
}
