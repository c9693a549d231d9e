/**
 * `wscat`: its sessions over pipes, how it shows an end in a terminal.
 *
 * @module
 */

import type { Account, Errand, Row } from "./errand.ts";
import { haveRow } from "./javascript/dialogue.js";
import { testClient } from "./matrix_client.ts";
import type { Stage } from "./stage.ts";
import { Wscat } from "./wscat.ts";

testClient({ name: "wscat", needs: "node", run: haveRows });

async function haveRows(errand: Errand, stage: Stage): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for (const row of errand.rows) accounts.push(await have(row, { errand, stage }));
  return accounts;
}

async function have(
  row: Row,
  { errand, stage }: { readonly errand: Errand; readonly stage: Stage },
): Promise<Account> {
  const url = `${errand.base.replace("http", "ws")}/realtime?model=${row.model ?? errand.model}`;
  const runs: Wscat[] = [];
  const account = await haveRow(row, () => {
    const run = new Wscat({
      url,
      key: row.key ?? errand.key,
      caPath: stage.caPath,
      inTerminal: row.name.startsWith("close "),
    });
    runs.push(run);
    return run;
  });
  await Promise.all(runs.map(({ finished }) => finished));
  return account;
}
