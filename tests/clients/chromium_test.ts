/**
 * Chromium: sessions of a page that the router itself has served, and what pages of other origins and with
 * other subprotocols come to.
 *
 * @module
 */

import assert from "node:assert/strict";
import { startChromium } from "../support/chromium.ts";
import { MODEL } from "../support/test_router.ts";
import { PAGE_PREFIX } from "../../tools/clients/results.ts";
import { assertAllSettled, settle } from "./cell.ts";
import type { Account, Errand } from "./errand.ts";
import { whyMissing } from "./installed.ts";
import { testClient } from "./matrix_client.ts";
import { type Mode, MODES } from "./mode.ts";
import { openPage, type PageAccount } from "./page.ts";
import { plainly } from "./plainly.ts";
import { TURNS } from "./rows.ts";
import { type Stage, startStage } from "./stage.ts";

const missing = whyMissing("chromium");

testClient({
  name: "Chromium",
  needs: "chromium",
  failsIn: ({ blocking }) => blocking,
  run: haveRows,
});

/** What the router answers with status 200, so that a page has its origin. */
const PAGE = "/health";

async function haveRows(errand: Errand, stage: Stage): Promise<readonly Account[]> {
  await using chromium = await startChromium();
  await using page = await openPage(chromium.browser, stage.origin + PAGE);
  const accounts: Account[] = [];
  for (const row of errand.rows) {
    const url = urlOf(stage, row.model ?? errand.model);
    const { account, failure } = await page.have({ row, url, protocols: ["realtime"] });
    const sessions = account.sessions.map((session) =>
      session.refused === undefined
        ? session
        : { ...session, refused: `${session.refused}; console: ${failure}` }
    );
    accounts.push({ ...account, sessions });
  }
  return accounts;
}

function urlOf({ origin }: Stage, model: string): string {
  return `${origin.replace("http", "ws")}/v1/realtime?model=${model}`;
}

/** Where a page comes from. */
type PageOrigin = "the router" | "a listed origin" | "another origin" | "no origin (null)";

interface PageCase {
  readonly page: PageOrigin;
  readonly protocols: readonly string[];
  /** The subprotocol that is chosen; null when there is no session. */
  readonly chosen: string | null;
}

const KEY_PROTOCOL = "openai-insecure-api-key.sk-in-a-page";

const CASES: readonly PageCase[] = [
  { page: "the router", protocols: [], chosen: "" },
  { page: "the router", protocols: ["realtime"], chosen: "realtime" },
  { page: "the router", protocols: ["realtime", KEY_PROTOCOL], chosen: "realtime" },
  {
    page: "the router",
    protocols: [KEY_PROTOCOL, "openai-beta.realtime-v1", "realtime"],
    chosen: "realtime",
  },
  { page: "the router", protocols: [KEY_PROTOCOL], chosen: null },
  { page: "a listed origin", protocols: ["realtime"], chosen: "realtime" },
  { page: "another origin", protocols: ["realtime"], chosen: null },
  { page: "no origin (null)", protocols: ["realtime"], chosen: null },
];

for (const mode of MODES.filter(({ blocking }) => !blocking)) {
  Deno.test({
    name: `Chromium, ${mode.name}: origins and subprotocols` +
      (missing === null ? "" : `: not available here, ${missing}`),
    ignore: missing !== null,
    fn: (context) => testPages(mode, context),
  });
}

async function testPages(mode: Mode, context: Deno.TestContext): Promise<void> {
  await using listed = servePage();
  await using unlisted = servePage();
  const server = `cors: { enabled: true, allow_origins: ["${listed.origin}"] },`;
  await using stage = await startStage(mode, { server });
  // The browser itself keeps pages without an origin from addresses of this machine.
  await using chromium = await startChromium(["--disable-features=LocalNetworkAccessChecks"]);
  const addresses: Readonly<Record<PageOrigin, string>> = {
    "the router": stage.origin + PAGE,
    "a listed origin": listed.origin,
    "another origin": unlisted.origin,
    "no origin (null)": "about:blank",
  };
  const [connect] = TURNS;
  assert.ok(connect);
  const rows: string[] = [];
  for (const { page: from, protocols, chosen } of CASES) {
    const offered = protocols.map((name) => name.replace(/(?<=api-key\.).*/, "KEY")).join(", ");
    const row = `${PAGE_PREFIX}${from}; ${offered === "" ? "none" : offered}`;
    rows.push(row);
    await context.step(row, async () => {
      await using page = await openPage(chromium.browser, addresses[from]);
      const seen = await page.have({ row: connect, url: urlOf(stage, MODEL), protocols });
      const text = plainly(resultOf(seen, chosen), stage);
      settle({ client: "Chromium", row, mode: mode.name, text });
    });
  }
  assertAllSettled("Chromium", { mode: mode.name, rows });
}

function resultOf({ account, protocol, failure }: PageAccount, chosen: string | null): string {
  const [session] = account.sessions;
  assert.ok(session);
  if (chosen === null) {
    assert.ok(session.refused, "a refusal that was shown");
    return `${session.refused}; console: ${failure}`;
  }
  assert.deepEqual([session.refused, protocol], [undefined, chosen]);
  assert.equal(session.events[0]?.type, "session.created");
  return `a session, protocol "${protocol}"`;
}

/** A page of another origin than the router's. */
function servePage() {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
  );
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
