/**
 * A control plane that is given numbered records at a steady rate, each announced on standard output with the
 * time, until it is killed or ends by SIGTERM.
 *
 * Arguments: URL of the hub, path of the spool, number of the first record, records of a batch.
 *
 * @module
 */

import { startControlPlane } from "../../../src/metering/mod.ts";
import { endLogging, logOf, setUpLogging } from "../../../src/observability/mod.ts";
import { systemClock } from "../../../src/realtime/mod.ts";
import { usageRecord } from "../../support/usage_records.ts";

const RECORD_EVERY_MS = 2;

const [url = "", spoolPath = "", first = "", batchSize = ""] = Deno.args;
await setUpLogging({ level: "trace", format: "json", write: print });
const plane = await startControlPlane({
  url,
  token: "hub-token",
  routerId: "router-1",
  flushIntervalMs: 50,
  batchSize: Number(batchSize),
  spoolPath,
  spoolMaxRecords: 1_000_000,
  credentialsRefreshMs: 60_000,
}, {
  log: logOf("hub"),
  clock: systemClock,
  observer: { delivered: () => {}, deadLettered: () => {}, dropped: () => Deno.exit(1) },
});

let n = Number(first);
const ticks = setInterval(() => {
  const atMs = Date.now();
  plane.sink.record(usageRecord(n));
  say({ msg: "recorded", n, at_ms: atMs });
  n++;
}, RECORD_EVERY_MS);

Deno.addSignalListener("SIGTERM", async () => {
  clearInterval(ticks);
  await plane.close();
  await endLogging();
  Deno.exit(0);
});

function say(line: Readonly<Record<string, unknown>>): void {
  print(`${JSON.stringify(line)}\n`);
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
