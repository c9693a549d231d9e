/**
 * What `@openai/agents-realtime` counts of a session, and what the router records of it.
 *
 * Permissions: those of `agents_test.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { startDemoBackend } from "../../demo/mod.ts";
import { runProgram } from "../support/program.ts";
import { startTestRouter } from "../support/test_router.ts";
import type { AgentsSessionReport } from "./programs/agents_session.ts";

Deno.test("agents-realtime: its usage is the sum of the router's records, with tools, barge-in and cancel", async () => {
  await using backend = await startDemoBackend({ speed: 10 });
  await using router = await startTestRouter({ backends: [`http://127.0.0.1:${backend.port}`] });
  const { code, stdout, stderr } = await runProgram({
    entry: "tests/e2e/programs/agents_session.ts",
    args: [router.url],
    permissions: [`--allow-net=127.0.0.1:${router.port}`, "--allow-env"],
  });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const { toolRuns, statuses, usage }: AgentsSessionReport = JSON.parse(stdout);
  assert.ok(toolRuns > 0);
  assert.ok(statuses.includes("completed"));
  assert.ok(statuses.includes("cancelled"));

  await router.router.sessions.whenEmpty();
  const records = router.router.usage.recent.newestFirst(100).toReversed();
  const sum = (field: "input_tokens" | "cached_input_tokens" | "output_tokens") =>
    records.reduce((total, record) => total + record[field], 0);
  assert.deepEqual({
    requests: records.length,
    inputTokens: sum("input_tokens") + sum("cached_input_tokens"),
    outputTokens: sum("output_tokens"),
  }, usage);
  assert.deepEqual(
    records.map(({ outcome }) => outcome),
    statuses.map((status) => status === "cancelled" ? "client_cancelled" : status),
  );
  assert.ok(sum("cached_input_tokens") > 0);
});
