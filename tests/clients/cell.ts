/**
 * The cells of the table: each is compared with what is checked in, or written down.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Cell, isPageRow, readResults } from "../../tools/clients/results.ts";
import type { ClientName } from "../../tools/clients/roster.ts";
import type { ModeName } from "./mode.ts";

/** One that has been judged. */
export interface JudgedCell extends Cell {
  readonly client: ClientName;
  readonly mode: ModeName;
}

/** Names the folder into which the cells of a run are written, instead of being compared. */
const RECORD_VARIABLE = "CLIENT_RESULTS";

/** Compares a cell with the one that is checked in; or writes it down, when the environment says where. */
export function settle(cell: JudgedCell): void {
  const folder = Deno.env.get(RECORD_VARIABLE);
  if (folder === undefined) {
    const known = readResults()[cell.client]?.[cell.row]?.[cell.mode];
    return assert.equal(cell.text, known, `${cell.client}: ${cell.row} (${cell.mode})`);
  }
  const file = `${folder}/${cell.client.replaceAll(/\W+/g, "-")}.jsonl`;
  Deno.writeTextFileSync(file, `${JSON.stringify(cell)}\n`, { append: true });
}

/** That nothing is checked in of a client in a mode but these rows; those of pages are asked about apart. */
export function assertAllSettled(
  client: ClientName,
  { mode, rows }: { readonly mode: ModeName; readonly rows: readonly string[] },
): void {
  if (Deno.env.has(RECORD_VARIABLE)) return;
  const ofPages = rows.some(isPageRow);
  const known = Object.entries(readResults()[client] ?? {})
    .filter(([row, texts]) => mode in texts && isPageRow(row) === ofPages)
    .map(([row]) => row);
  assert.deepEqual(known.toSorted(), rows.toSorted(), `${client} (${mode})`);
}
