/** Grafana: a panel for every metric, and what compose.yaml gives it. */

import assert from "node:assert/strict";
import { z } from "zod";
import { metricNames, metricsIn, metricTypes } from "./metric_names.ts";
import { textOf, yamlOf } from "./project_files.ts";

const panelSchema = z.object({
  id: z.int(),
  type: z.enum(["row", "timeseries", "state-timeline"]),
  title: z.string(),
  gridPos: z.strictObject({ h: z.int(), w: z.int(), x: z.int(), y: z.int() }),
  targets: z.array(z.object({
    expr: z.string(),
    datasource: z.strictObject({
      type: z.literal("prometheus"),
      uid: z.literal("${datasource}"),
    }),
  })).default([]),
});
const dashboard = z.object({
  uid: z.literal("realtime-router"),
  panels: z.array(panelSchema),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
}).parse(JSON.parse(await textOf("deploy/grafana/dashboard.json")));
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

Deno.test("dashboard: shows exactly the metrics that the router has", () => {
  assert.deepEqual(
    [...new Set(expressions.flatMap(metricsIn))].toSorted(),
    [
      ...metricNames,
    ].toSorted(),
  );
});

Deno.test("dashboard: counters are shown as rates", () => {
  for (const expr of expressions) {
    for (const name of metricsIn(expr)) {
      if (metricTypes.get(name) === "gauge") continue;
      assert.match(expr, new RegExp(`(?:rate|increase)\\(${name}(?:_bucket)?\\{`));
    }
  }
});

Deno.test("dashboard: every panel has an id of its own, a place of its own, and a query", () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { type, title, targets } of panels) {
    assert.equal(targets.length === 0, type === "row", title);
  }
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: h * w }, (_, i) => `${x + i % w},${y + Math.floor(i / w)}`)
  );
  assert.equal(new Set(cells).size, cells.length);
  assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24));
});

Deno.test("dashboard: its variables are those that it uses", () => {
  const used = new Set(expressions.flatMap((expr) => expr.match(/(?<=\$)[a-z]+/g) ?? []));
  assert.deepEqual([...used].toSorted(), ["instance"]);
  assert.deepEqual(dashboard.templating.list.map(({ name }) => name), ["datasource", "instance"]);
});

Deno.test("grafana: is given Prometheus, and the dashboard where it looks for it", async () => {
  const sources = z.object({ datasources: z.tuple([z.object({ url: z.string() })]) })
    .parse(await yamlOf("deploy/grafana/provisioning/datasources/prometheus.yaml"));
  assert.equal(sources.datasources[0].url, "http://prometheus:9090");
  const providers = z.object({
    providers: z.tuple([z.object({ options: z.object({ path: z.string() }) })]),
  }).parse(await yamlOf("deploy/grafana/provisioning/dashboards/realtime-router.yaml"));
  const compose = await textOf("deploy/compose.yaml");
  const { path } = providers.providers[0].options;
  assert.ok(compose.includes(`- ./grafana/dashboard.json:${path}/dashboard.json:ro`));
});
