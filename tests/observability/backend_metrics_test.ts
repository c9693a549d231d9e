import assert from "node:assert/strict";
import { Metrics, type ObservedBackend } from "../../src/observability/mod.ts";

async function gauges(metrics: Metrics): Promise<readonly string[]> {
  const { text } = await metrics.render("");
  return text.split("\n").filter((line) => /^(backend_health|circuit_breaker)_state/.test(line));
}

Deno.test.each(
  [
    ["unknown", "closed", 0, 0],
    ["ready", "open", 1, 1],
    ["warming_up", "half_open", 2, 2],
    ["down", "closed", 3, 0],
  ] as const,
)("Metrics shows a backend %s with its circuit %s", async (health, circuit, shown, state) => {
  const metrics = new Metrics();
  metrics.observeBackends(() => [{ name: "b", health, circuit }]);
  assert.deepEqual(await gauges(metrics), [
    `backend_health_state{backend="b"} ${shown}`,
    `circuit_breaker_state{backend="b"} ${state}`,
  ]);
});

Deno.test("Metrics shows backends as they are at each scrape, and none that is gone", async () => {
  const metrics = new Metrics();
  let backends: readonly ObservedBackend[] = [
    { name: "a", health: "ready", circuit: "closed" },
    { name: "b", health: "ready", circuit: "open" },
  ];
  metrics.observeBackends(() => backends);
  assert.equal((await gauges(metrics)).length, 4);
  backends = [{ name: "b", health: "down", circuit: "half_open" }];
  assert.deepEqual(await gauges(metrics), [
    'backend_health_state{backend="b"} 3',
    'circuit_breaker_state{backend="b"} 2',
  ]);
  backends = [];
  assert.deepEqual(await gauges(metrics), []);
});

Deno.test("Metrics.observeBackends() twice is an error", () => {
  const metrics = new Metrics();
  metrics.observeBackends(() => []);
  assert.throws(() => metrics.observeBackends(() => []), /already been registered/);
});
