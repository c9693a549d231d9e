/**
 * `kill -9` at random moments (spec §9): a record that is 100 ms old is in the spool, and whatever is in the
 * spool reaches the hub in the end.
 *
 * Needs net, run of Deno itself and the temporary folder.
 */

import assert from "node:assert/strict";
import { TestHub } from "../support/hub.ts";
import { Program } from "../support/program.ts";
import { readSpool } from "../support/spool_rows.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { usageRecord } from "../support/usage_records.ts";

/** Spec §9. */
const DURABLE_AFTER_MS = 100;
const RUNS_WITHOUT_HUB = 20;
const RUNS_WITH_HUB = 6;
/** Between the first record of a run and its end. */
const MIN_LIFE_MS = 130;
const MAX_LIFE_MS = 600;

/** What all runs share. */
interface Setting {
  readonly dir: TempDir;
  readonly hub: TestHub;
  readonly spoolPath: string;
  /** Ids of the records that the hub must get. */
  readonly owed: Set<string>;
}

Deno.test("kill -9 at random moments: no record older than 100 ms is lost, none comes with two contents", async () => {
  await using dir = await makeTempDir();
  await using hub = await TestHub.start();
  const setting: Setting = { dir, hub, spoolPath: dir.at("data/usage.db"), owed: new Set() };
  await hub.down();
  let next = 1;
  for (let run = 0; run < RUNS_WITHOUT_HUB; run++) next = await killedRun(setting, next);
  assert.ok(setting.owed.size > RUNS_WITHOUT_HUB * 10, `only ${setting.owed.size} records`);

  await hub.up();
  for (let run = 0; run < RUNS_WITH_HUB; run++) {
    // Small batches, so that it dies between them, and some with an answer that is lost.
    hub.next({ kind: "accept" }, { kind: "accept" }, { kind: "drop" }, { kind: "drop" });
    next = await killedRun(setting, next, { batchSize: 20 });
  }
  assert.ok(hub.records.size > 0, "nothing was delivered before the last run");

  await using last = startWriter(setting, { first: next, batchSize: 500 });
  await last.record("recorded");
  assert.equal((await last.end("SIGTERM")).code, 0);
  assert.deepEqual([...setting.owed].filter((id) => !hub.records.has(id)), []);
  assert.deepEqual(hub.conflicts, []);
  assert.deepEqual(readSpool(setting.spoolPath), { records: [], deadLetters: [] });
});

/** One run that is killed. Checks the spool that it leaves, and answers with the number for the next record. */
async function killedRun(
  setting: Setting,
  first: number,
  options: { readonly batchSize?: number } = {},
): Promise<number> {
  const { hub, owed } = setting;
  await using program = startWriter(setting, { first, batchSize: options.batchSize ?? 500 });
  await program.record("recorded");
  const lifeMs = MIN_LIFE_MS + Math.random() * (MAX_LIFE_MS - MIN_LIFE_MS);
  await new Promise((resolve) => setTimeout(resolve, lifeMs));
  const killedAtMs = Date.now();
  const { signal } = await program.end("SIGKILL");
  assert.equal(signal, "SIGKILL");

  const recorded = program.records.filter(({ msg }) => msg === "recorded");
  const waiting = await idsInCopy(setting);
  for (const { n, at_ms: atMs } of recorded) {
    const id = usageRecord(Number(n)).record_id;
    if (waiting.has(id)) owed.add(id);
    if (killedAtMs - Number(atMs) < DURABLE_AFTER_MS) continue;
    owed.add(id);
    const isKept = waiting.has(id) || hub.records.has(id);
    assert.ok(isKept, `record ${n} is lost, ${killedAtMs - Number(atMs)} ms old at the kill`);
  }
  for (const id of owed) {
    assert.ok(waiting.has(id) || hub.records.has(id), `${id} of an earlier run is lost`);
  }
  return first + recorded.length + 1;
}

function startWriter(
  { dir, hub, spoolPath }: Setting,
  { first, batchSize }: { readonly first: number; readonly batchSize: number },
): Program {
  return new Program({
    entry: "tests/attack/programs/spool_writer.ts",
    args: [hub.url, spoolPath, String(first), String(batchSize)],
    permissions: ["--allow-net", `--allow-read=${dir.path}`, `--allow-write=${dir.path}`],
  });
}

/** Reads a copy, so that the next run finds the files as the killed one left them. */
async function idsInCopy({ dir, spoolPath }: Setting): Promise<ReadonlySet<string>> {
  const copy = dir.at("copy.db");
  await Deno.copyFile(spoolPath, copy);
  await Deno.copyFile(`${spoolPath}-wal`, `${copy}-wal`);
  const { records, deadLetters } = readSpool(copy);
  await Deno.remove(copy);
  assert.deepEqual(deadLetters, []);
  const ids = records.map((text) => {
    const record = JSON.parse(text);
    assert.deepEqual(record, usageRecord(record.input_tokens), "a record is not what it was");
    return record.record_id;
  });
  assert.equal(new Set(ids).size, ids.length, "a record is there twice");
  return new Set(ids);
}
