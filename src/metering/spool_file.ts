/**
 * The spool's file before the database is opened: its folder is there and nobody else may read it.
 *
 * @module
 */

import { dirname, isAbsolute } from "node:path";

/**
 * Makes the folder (0700) and the file (0600) if they are missing, and takes a file that others can read away
 * from them. SQLite gives the same permissions to the files that it keeps beside this one.
 *
 * @returns The path as SQLite must get it: neither a URI nor one of SQLite's own names, such as `:memory:`.
 */
export async function prepareSpoolFile(path: string): Promise<string> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Not truncated: it may be there already. Closed before SQLite takes its locks, which a later close of
  // another descriptor of this process would end.
  using file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  const { mode, isFile } = await file.stat();
  if (!isFile) throw new Error("not a file");
  if (mode !== null && (mode & 0o077) !== 0) await Deno.chmod(path, 0o600);
  return isAbsolute(path) ? path : `./${path}`;
}
