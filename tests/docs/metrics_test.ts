import assert from "node:assert/strict";
import { Metrics } from "../../src/observability/mod.ts";
import { usageRecord } from "../support/usage_records.ts";
import { rowsOf, textOf } from "./markdown.ts";

const PAGE = await textOf("docs/metrics.md");

/** Everything that is measured, once each. */
function usedMetrics(): Metrics {
  const metrics = new Metrics();
  metrics.observeBackends(() => [{ name: "b", health: "ready", circuit: "closed" }]);
  metrics.realtime.relayed("client_to_backend", 1);
  metrics.realtime.paused("client_to_backend");
  metrics.realtime.sessionOpened("b", 1);
  metrics.realtime.sessionEnded("b", { outcome: "completed", establishedMs: 1 });
  metrics.realtime.rejected("missing_model");
  metrics.http.answered("other", { method: "GET", status: 404, durationMs: 1 });
  metrics.usage.record(usageRecord(1));
  metrics.usage.event("b", "recorded", 1);
  metrics.usage.spoolDropped(1);
  return metrics;
}

/** The labels of a metric's first sample that has any. */
function labelsOf(text: string, name: string): readonly string[] {
  const sample = new RegExp(`^${name}(?:_count)?\\{(.*)\\} `, "m").exec(text)?.[1] ?? "";
  return [...sample.matchAll(/(\w+)="/g)].map(([, label]) => label ?? "");
}

Deno.test("metrics.md: lists exactly the metrics, with their types and labels", async () => {
  const { text } = await usedMetrics().render("");
  const rendered = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    .map(([, name = "", type]) => [name, type, ...labelsOf(text, name)]);
  const listed = rowsOf(PAGE).map(([name, type, labels = ""]) => [
    name,
    type,
    ...labels.match(/\w+/g) ?? [],
  ]);
  assert.ok(listed.length > 15);
  const byName = (a: readonly (string | undefined)[], b: readonly (string | undefined)[]) =>
    String(a[0]) < String(b[0]) ? -1 : 1;
  assert.deepEqual(listed.toSorted(byName), rendered.toSorted(byName));
});

Deno.test("metrics.md: has the numbers of health states and circuits", async () => {
  const { text } = await usedMetrics().render("");
  for (const name of ["backend_health_state", "circuit_breaker_state"]) {
    const help = new RegExp(`^# HELP ${name} .*: (.*)$`, "m").exec(text)?.[1];
    const meaning = rowsOf(PAGE).find(([metric]) => metric === name)?.[3];
    assert.equal(meaning, help, name);
  }
});
