// @ts-check
/**
 * The WebSocket of Deno and of Node, with the key in a header. The only argument is an errand as JSON; prints
 * an account a line.
 */

import process from "node:process";
import { haveRow } from "./dialogue.js";
import { openWebSocket } from "./web_socket.js";

/** @type {import("./dialogue.js").Errand} */
const errand = JSON.parse(process.argv[2] ?? "");
for (const row of errand.rows) {
  const url = `${errand.base.replace("http", "ws")}/realtime?model=${row.model ?? errand.model}`;
  const headers = { authorization: `Bearer ${row.key ?? errand.key}` };
  const account = await haveRow(row, () => openWebSocket(url, { headers }));
  process.stdout.write(`${JSON.stringify(account)}\n`);
}
