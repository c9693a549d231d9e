/**
 * Tests of one client in every mode. Each row is a step, whose cell is compared with what is checked in.
 *
 * Permissions of `task test:clients`: net; read for the project, temporary files and installed programs; write
 * below the folder for temporary files; run for exactly the programs used; sys and the whole environment for
 * playwright-core, which looks through it as it is loaded.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { SeenClose } from "../../demo/mod.ts";
import { MODEL, readSample } from "../support/test_router.ts";
import { assertAllSettled, settle } from "./cell.ts";
import type { Account, Errand, Row } from "./errand.ts";
import { type InstalledName, whyMissing } from "./installed.ts";
import { judge } from "./judge.ts";
import { type Mode, MODES } from "./mode.ts";
import { plainly } from "./plainly.ts";
import { ENDS, RECONNECT, REFUSED_KEY, REFUSED_MODEL, TURNS } from "./rows.ts";
import type { ClientName } from "../../tools/clients/roster.ts";
import type { CommandResult } from "./run_command.ts";
import { BACKEND, CLIENT_KEY, type Stage, startStage } from "./stage.ts";

/** A client that takes {@link Errand}s. */
export interface MatrixClient {
  /** As the documents call it. */
  readonly name: ClientName;
  /** What must be installed for it; absent when nothing. */
  readonly needs?: InstalledName;
  /** Whether the library can connect again by itself. @default {false} */
  readonly reconnects?: boolean;
  /** Whether it cannot have sessions in a mode, so that only its failure is shown. @default never */
  readonly failsIn?: (mode: Mode) => boolean;
  /** Milliseconds of conversation in one of the clock: less for those that cannot ask for long answers. @default {50} */
  readonly speed?: number;
  /** @default all */
  readonly modes?: readonly Mode[];
  /** Has the rows. */
  readonly run: (errand: Errand, stage: Stage) => Promise<readonly Account[]>;
}

/** What a program has printed. @throws {AssertionError} When it failed, or complained. */
export function accountsOf({ code, stdout, stderr }: Printed): readonly Account[] {
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
}

type Printed = Pick<CommandResult, "code" | "stdout" | "stderr">;

/** Declares the tests of a client. */
export function testClient(client: MatrixClient): void {
  const missing = client.needs === undefined ? null : whyMissing(client.needs);
  for (const mode of client.modes ?? MODES) {
    Deno.test({
      name: `${client.name}, ${mode.name}${
        missing === null ? "" : `: not available here, ${missing}`
      }`,
      ignore: missing !== null,
      fn: (context) => testInMode(client, { mode, context }),
    });
  }
}

/** Rows in which the client is not let in. */
const REFUSALS = new Set([REFUSED_MODEL.name, REFUSED_KEY.name]);

function rowsOf(client: MatrixClient, mode: Mode): readonly Row[] {
  if (client.failsIn?.(mode) === true) return TURNS.slice(0, 1);
  const reconnect = client.reconnects === true ? { ...RECONNECT, reconnects: true } : RECONNECT;
  return [...TURNS, ...ENDS, reconnect, REFUSED_MODEL, ...mode.blocking ? [REFUSED_KEY] : []];
}

async function testInMode(
  client: MatrixClient,
  { mode, context }: { readonly mode: Mode; readonly context: Deno.TestContext },
): Promise<void> {
  await using stage = await startStage(mode, { speed: client.speed ?? 50 });
  const rows = rowsOf(client, mode);
  const errand = { base: `${stage.origin}/v1`, model: MODEL, key: CLIENT_KEY, rows };
  const accounts = await client.run(errand, stage);
  assert.deepEqual(accounts.map(({ row }) => row), rows.map(({ name }) => name));
  let serial = 0;
  for (const account of accounts) {
    const first = serial + 1;
    serial += account.sessions.filter(({ refused }) => refused === undefined).length;
    const reported = stage.backend.responses
      .filter((record) => record.serial >= first && record.serial <= serial)
      .map(({ response }) => response);
    await context.step(account.row, () => {
      const refused = client.failsIn?.(mode) === true || REFUSALS.has(account.row);
      const text = plainly(judge(account, { reported, refused }), stage);
      settle({ client: client.name, row: account.row, mode: mode.name, text });
    });
  }
  if (serial > 0) {
    await context.step(OWN_END, async () => {
      const end = await stage.backend.upgrades[0]?.closed;
      settle({ client: client.name, row: OWN_END, mode: mode.name, text: shownEnd(end) });
    });
  }
  const settled = rows.map(({ name }) => name).concat(serial > 0 ? [OWN_END] : []);
  assertAllSettled(client.name, { mode: mode.name, rows: settled });
  await context.step("every session reached the backend, and its tokens the meter", async () => {
    assert.equal(stage.backend.upgrades.length, serial);
    await checkMeter(stage);
  });
}

/** The row of how the client ends a session, as the backend sees it. */
const OWN_END = "own end";

function shownEnd(end: SeenClose | null | undefined): string {
  assert.ok(end, "a session that ended");
  if (end.code === 1005) return "an empty close frame";
  return end.reason === "" ? String(end.code) : `${end.code} "${end.reason}"`;
}

/** What the router counted is what the backend reported, of the responses that came to their end. */
async function checkMeter({ backend, router, get }: Stage): Promise<void> {
  let ended = 0;
  if (backend.upgrades.length > 0) {
    await router.program.record(({ msg }) =>
      msg === "session ended" && ++ended === backend.upgrades.length
    );
  }
  const metrics = await get("/metrics");
  const sum = (field: "input_tokens" | "output_tokens") =>
    backend.responses.reduce((total, { response }) => total + (response.usage?.[field] ?? 0), 0);
  const counted = (type: string) =>
    readSample(metrics, { name: "llm_tokens_total", labels: { backend: BACKEND, type } });
  assert.deepEqual(
    [counted("input") + counted("cached_input"), counted("output")],
    [sum("input_tokens"), sum("output_tokens")],
  );
}
