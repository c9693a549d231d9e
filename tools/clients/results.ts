/**
 * What the tests of `tests/clients` saw: a client, a row and a mode have a text.
 *
 * @module
 */

/** The texts of a client, by row and then by mode. */
export type ClientCells = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** All of them, by client. */
export type Results = Readonly<Record<string, ClientCells>>;

/** One of them, as a run writes it: a line of JSON. */
export interface Cell {
  readonly client: string;
  readonly row: string;
  readonly mode: string;
  readonly text: string;
}

/** The row of a client that could not be asked; its text is the reason. */
export const MISSING_ROW = "not available here";

/** Rows of one page each begin with it. */
export const PAGE_PREFIX = "page of ";

/** Whether a row tells of a page of some origin. */
export function isPageRow(row: string): boolean {
  return row.startsWith(PAGE_PREFIX);
}

/** Where the results are that the documents show. */
export const RESULTS_PATH = "tests/clients/results.json";

/** The results that are checked in. Needs to read {@link RESULTS_PATH}. */
export function readResults(): Results {
  return JSON.parse(Deno.readTextFileSync(RESULTS_PATH));
}

/** The results of the cells that a run has written into a folder, in the order in which they came. */
export function gatherCells(folder: string): Results {
  const gathered: Record<string, Record<string, Record<string, string>>> = {};
  for (const { name } of Deno.readDirSync(folder)) {
    const lines = Deno.readTextFileSync(`${folder}/${name}`).trim().split("\n");
    for (const line of lines) {
      const { client, row, mode, text }: Cell = JSON.parse(line);
      ((gathered[client] ??= {})[row] ??= {})[mode] = text;
    }
  }
  return gathered;
}
