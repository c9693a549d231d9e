import assert from "node:assert/strict";
import { LatencyWindow } from "../../src/metering/latency_window.ts";

function percentiles(latencies: Iterable<number>): number[] {
  const window = new LatencyWindow();
  for (const latencyMs of latencies) window.add(latencyMs);
  const { p50, p90, p95, p99 } = window.percentiles();
  return [p50, p90, p95, p99];
}

/** 1, 2, 3 … in an order of no meaning. */
function shuffled(count: number): number[] {
  assert.notEqual(count % 7, 0);
  return Array.from({ length: count }, (_, index) => 1 + (index * 7) % count);
}

Deno.test.each(
  [
    ["nothing", [], [0, 0, 0, 0]],
    ["one", [120], [120, 120, 120, 120]],
    ["two", [300, 100], [100, 300, 300, 300]],
    ["1 to 10", shuffled(10), [5, 9, 10, 10]],
    ["1 to 100", shuffled(100), [50, 90, 95, 99]],
    ["1 to 1000", shuffled(1000), [500, 900, 950, 990]],
    ["numbers that sort differently as text", [9, 10, 100, 1000], [10, 1000, 1000, 1000]],
    ["unknown latencies among known ones", [0, 50, 0, 0, 70, 0], [50, 70, 70, 70]],
    ["unknown latencies alone", [0, 0], [0, 0, 0, 0]],
  ] as const,
)("LatencyWindow.percentiles() of %s", (_name, latencies, expected) => {
  assert.deepEqual(percentiles(latencies), expected);
});

Deno.test("LatencyWindow forgets all but the last thousand", () => {
  const slow = Array<number>(5000).fill(90_000);
  assert.deepEqual(percentiles([...slow, ...shuffled(1000)]), [500, 900, 950, 990]);
});

Deno.test("LatencyWindow does not let unknown latencies push known ones out", () => {
  assert.deepEqual(percentiles([120, ...Array<number>(2000).fill(0)]), [120, 120, 120, 120]);
});
