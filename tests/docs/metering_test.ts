import assert from "node:assert/strict";
import { dispatchRoutes } from "../../src/dispatch/mod.ts";
import { SessionMeter, type UsageRecord } from "../../src/metering/mod.ts";
import type { EdgeConnection } from "../../src/wire/mod.ts";
import { DispatchScenario } from "../support/dispatch_scenario.ts";
import { rowsOf, sectionOf, textOf } from "./markdown.ts";

const PAGE = await textOf("docs/metering.md");

/** The record of a realtime response. */
function recordOf(status: unknown, reason: unknown): UsageRecord {
  const records: UsageRecord[] = [];
  const meter = new SessionMeter({
    context: {
      requestId: "r",
      endpoint: "/v1/realtime",
      model: "m",
      backend: "b",
      apiKeyId: null,
      userId: null,
      organizationId: null,
    },
    sink: { record: (record) => void records.push(record) },
    onResult: () => {},
    now: () => 0,
    unixNow: () => 0,
  });
  const response = { id: "r", status, status_details: { reason } };
  meter.relayed(JSON.stringify({ type: "response.done", response }), 1);
  meter.accepted(1);
  const [record] = records;
  assert.ok(record !== undefined);
  return record;
}

/** The record of a request that is answered so. */
async function recordOfAnswer(answer: Response): Promise<UsageRecord> {
  const scenario = new DispatchScenario({ backends: [BACKEND] });
  const routes = dispatchRoutes(scenario.parts(() => Promise.resolve(answer)));
  const route = routes.find(({ path }) => path === "/v1/responses");
  const request = new Request("http://localhost/v1/responses", {
    method: "POST",
    body: '{"model":"org/talker"}',
  });
  // The route does not look at its connection: the scenario tells the client's address.
  const connection = {} as EdgeConnection;
  const response = await route?.handle({ request, connection, requestId: "r" });
  await response?.text();
  const [record] = scenario.records;
  assert.ok(record !== undefined);
  return record;
}

const BACKEND = {
  name: "b",
  url: "http://127.0.0.1:1",
  type: "generic",
  headers: {},
  weight: 1,
  models: ["org/talker"],
  modelConfigs: [],
  realtimeAuth: "bearer",
  healthTimeoutMs: 1_000,
  health: {
    enabled: false,
    intervalMs: 1_000,
    unhealthyThreshold: 1,
    healthyThreshold: 1,
    warmupCheckIntervalMs: 1_000,
    maxWarmupDurationMs: 1_000,
  },
  breaker: {
    enabled: false,
    failureThreshold: 1,
    failureRateThreshold: 1,
    minimumRequests: 1,
    timeoutMs: 1_000,
    halfOpenMaxRequests: 1,
    halfOpenSuccessThreshold: 1,
  },
} as const;

Deno.test("metering.md: lists exactly the fields of a record, in their order", async () => {
  const source = await textOf("src/metering/usage_record.ts");
  const [, body = ""] = source.split("export interface UsageRecord {");
  const fields = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
  assert.ok(fields.length >= 20);
  assert.deepEqual(rowsOf(sectionOf(PAGE, "## The record")).map(([name]) => name), fields);
});

Deno.test("metering.md: the outcomes of realtime responses are those of the meter", () => {
  const rows = rowsOf(sectionOf(PAGE, "## Realtime sessions")).filter((row) => row.length === 3);
  assert.equal(rows.length, 6);
  for (const [status = "", reason = "", outcome] of rows) {
    const statuses = status.startsWith("missing") ? [undefined, "in_progress"] : [status];
    const reasons = reason === "max_output_tokens" ? [reason] : ["content_filter", undefined];
    if (reason === "any") reasons.push("max_output_tokens");
    for (const one of statuses) {
      for (const other of reasons) assert.equal(recordOf(one, other).outcome, outcome, status);
    }
  }
});

Deno.test("metering.md: the results are the labels of the counter", async () => {
  const listed = rowsOf(sectionOf(PAGE, "## Realtime sessions")).filter((row) => row.length === 2)
    .map(([result]) => `"${result}"`);
  const source = await textOf("src/metering/session_meter.ts");
  const type = /export type MeteringResult =([^;]*);/.exec(source)?.[1] ?? "";
  assert.deepEqual(listed, type.match(/"\w+"/g));
});

Deno.test("metering.md: the reasons of realtime responses are those of the meter", () => {
  for (
    const reason of ["max_output_tokens", "content_filter", "turn_detected", "client_cancelled"]
  ) {
    assert.ok(sectionOf(PAGE, "## Realtime sessions").includes(`\`${reason}\``), reason);
    assert.equal(recordOf("incomplete", reason).status_reason, reason);
  }
  assert.equal(recordOf("failed", "what a backend writes").status_reason, "other");
  assert.equal(recordOf("completed", undefined).status_reason, "absent");
});

/** Answers, by the words of the table that they are an example of. */
const ANSWERS: ReadonlyMap<string, () => Response> = new Map([
  ["says nothing", () => Response.json({ id: "x" })],
  ["`finish_reason` `length`", () => Response.json({ choices: [{ finish_reason: "length" }] })],
  [
    "with `content_filter`",
    () => Response.json({ choices: [{ finish_reason: "content_filter" }] }),
  ],
  ["`cancelled`", () => Response.json({ status: "cancelled" })],
  ["`failed`", () => Response.json({ status: "failed" })],
  ["an error status", () => Response.json({ error: {} }, { status: 429 })],
]);

Deno.test("metering.md: the outcomes of HTTP requests are those of the routes", async () => {
  const rows = rowsOf(sectionOf(PAGE, "## HTTP requests"));
  for (const [words, answer] of ANSWERS) {
    const row = rows.find(([how = ""]) => `\`${how}\``.includes(words) || how.includes(words));
    const { outcome, status_reason } = await recordOfAnswer(answer());
    assert.deepEqual([outcome, status_reason], row?.slice(1), words);
  }
});
