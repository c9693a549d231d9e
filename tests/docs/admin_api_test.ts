import assert from "node:assert/strict";
import { AdminEvents, adminRoutes } from "../../src/admin/mod.ts";
import { parseConfig } from "../../src/config/mod.ts";
import { ERROR_ANSWERS, type ErrorCode } from "../../src/http/mod.ts";
import { Sessions, systemClock } from "../../src/realtime/mod.ts";
import { BackendRegistry } from "../../src/routing/mod.ts";
import { rowsOf, sectionOf, textOf } from "./markdown.ts";

const PAGE = await textOf("docs/admin-api.md");

/** Asks for every route under a method that none has, and gives the one that it names. */
async function routes(): Promise<readonly string[]> {
  const config = parseConfig("{}", { get: () => undefined });
  const unused = () => assert.fail("nothing is asked for in this test");
  const all = adminRoutes({
    config: () => config,
    statistics: unused,
    realtimeStatistics: unused,
    recentUsage: unused,
    sessions: new Sessions(),
    registry: new BackendRegistry(),
    lastErrorOf: unused,
    events: new AdminEvents(),
    reload: unused,
    clock: systemClock,
    unixNow: unused,
    log: { info: unused },
  });
  const connection = { peer: { hostname: "127.0.0.1" } };
  return await Promise.all(all.map(async ({ path, handle }) => {
    const url = `http://localhost${path}`;
    const request = new Request(url, { method: "PATCH", headers: { host: "localhost" } });
    const { headers } = await handle({ request, connection, requestId: "r" });
    return `${headers.get("allow")} ${path.replaceAll(/:(\w+)/g, "{$1}")}`;
  }));
}

Deno.test("admin-api.md: lists exactly the routes, with their methods", async () => {
  const listed = rowsOf(sectionOf(PAGE, "## Routes")).map(([method, path]) => `${method} ${path}`);
  assert.deepEqual(listed, await routes());
});

Deno.test("admin-api.md: gives refusals the status and type of the table", () => {
  const rows = rowsOf(sectionOf(PAGE, "## Access")).filter(([status]) =>
    /^\d{3}$/.test(status ?? "")
  );
  assert.equal(rows.length, 9);
  for (const [status, code, type] of rows) {
    const answer = ERROR_ANSWERS[code as ErrorCode];
    assert.deepEqual([status, type], [String(answer.status), answer.type], String(code));
  }
});

Deno.test("admin-api.md: lists exactly the methods of admin.auth", () => {
  const rows = rowsOf(sectionOf(PAGE, "## Access")).filter(([first]) =>
    !/^\d{3}$/.test(first ?? "")
  );
  assert.deepEqual(rows.map(([method]) => method), ["none", "bearer_token", "basic", "api_key"]);
});
