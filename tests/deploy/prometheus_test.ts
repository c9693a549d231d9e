/** Prometheus: its configuration, its alerts, and the metrics as promtool sees them. */

import assert from "node:assert/strict";
import { z } from "zod";
import { startTestRouter } from "../support/test_router.ts";
import { needing, PROGRAMS, run } from "./installed_program.ts";
import { metricsIn } from "./metric_names.ts";
import { configOf, pathOf, yamlOf } from "./project_files.ts";

const FOLDER = pathOf("deploy/prometheus");

const rulesSchema = z.strictObject({
  groups: z.tuple([z.strictObject({
    name: z.string(),
    rules: z.array(z.strictObject({
      alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
      expr: z.string(),
      for: z.string().optional(),
      labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
      annotations: z.strictObject({ summary: z.string(), description: z.string() }),
    })),
  })]),
});
const { groups: [{ rules }] } = rulesSchema.parse(await yamlOf("deploy/prometheus/alerts.yml"));

const scrapeSchema = z.object({
  scrape_configs: z.tuple([z.object({
    job_name: z.string(),
    metrics_path: z.string(),
    static_configs: z.tuple([z.object({ targets: z.tuple([z.string()]) })]),
  })]),
});
const { scrape_configs: [scrape] } = scrapeSchema.parse(
  await yamlOf("deploy/prometheus/prometheus.yml"),
);

Deno.test("prometheus: scrapes the operators' port of the router in compose.yaml", async () => {
  const { admin, metrics } = await configOf("deploy/compose/config.yaml");
  assert.equal(scrape.metrics_path, metrics.endpoint);
  assert.deepEqual(scrape.static_configs[0].targets, [`router:${admin.bind_address[0]?.port}`]);
});

Deno.test("alerts: have names of their own", () => {
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
});

Deno.test.each(rules)("alert $alert: uses metrics that the router has", ({ expr }) => {
  const jobs = [...expr.matchAll(/job="([^"]*)"/g)].map(([, job]) => job);
  assert.ok(metricsIn(expr).length > 0 || jobs.length > 0);
  assert.deepEqual(jobs.filter((job) => job !== scrape.job_name), []);
});

Deno.test("alert SessionsNearMaximum: is 90 % of max_sessions in deploy/", async () => {
  const { expr } = rules.find(({ alert }) => alert === "SessionsNearMaximum") ?? { expr: "" };
  const threshold = Number(/> (\d+)$/.exec(expr)?.[1]);
  for (const path of ["deploy/kubernetes/config.yaml", "deploy/compose/config.yaml"]) {
    const { realtime } = await configOf(path);
    assert.equal(threshold, Math.floor(realtime.max_sessions * 0.9));
  }
});

Deno.test("alert RouterNotReady: waits longer than the longest drain in deploy/", async () => {
  const rule = rules.find(({ alert }) => alert === "RouterNotReady");
  const minutes = Number(/^(\d+)m$/.exec(rule?.for ?? "")?.[1]);
  const { server } = await configOf("deploy/kubernetes/config.yaml");
  assert.ok(minutes * 60_000 > server.drain_timeout);
});

Deno.test.each([
  { command: "check config prometheus.yml" },
  { command: "check rules alerts.yml" },
  { command: "test rules alerts_test.yml" },
].map(({ command }) => ({ command, ...needing("promtool", `promtool ${command}`) })))(
  "$name",
  { ignore: needing("promtool", "").ignore },
  async ({ command }) => {
    const { code, text } = await run(PROGRAMS.promtool, { args: command.split(" "), cwd: FOLDER });
    assert.equal(code, 0, text);
  },
);

Deno.test({
  ...needing("promtool", "promtool check metrics: has nothing to say of a router's /metrics"),
  async fn() {
    await using router = await startTestRouter({ backends: ["http://127.0.0.1:1"] });
    await (await fetch(`${router.origin}/health`)).text();
    const metrics = await (await fetch(`${router.origin}/metrics`)).text();
    assert.match(metrics, /^http_requests_total\{.*endpoint="\/health".*\} 1$/m);
    const checked = await run(PROGRAMS.promtool, { args: ["check", "metrics"], input: metrics });
    assert.deepEqual(checked, { code: 0, text: "" });
  },
});
