import assert from "node:assert/strict";
import fc from "fast-check";
import { RollingWindow } from "../../src/routing/rolling_window.ts";

Deno.test("RollingWindow counts the last 60 s", () => {
  const window = new RollingWindow();
  window.record("failure", 0);
  window.record("success", 30_000);
  window.record("failure", 59_999);
  assert.deepEqual(window.totals(59_999), { requests: 3, failures: 2 });
  assert.deepEqual(window.totals(60_000), { requests: 2, failures: 1 });
  assert.deepEqual(window.totals(90_000), { requests: 1, failures: 1 });
  assert.deepEqual(window.totals(200_000), { requests: 0, failures: 0 });
});

Deno.test("RollingWindow.clear() forgets everything", () => {
  const window = new RollingWindow();
  window.record("failure", 5);
  window.clear();
  assert.deepEqual(window.totals(5), { requests: 0, failures: 0 });
  window.record("failure", 6);
  assert.deepEqual(window.totals(6), { requests: 1, failures: 1 });
});

Deno.test("RollingWindow takes a clock that goes back for the present", () => {
  const window = new RollingWindow();
  window.record("failure", 100_000);
  window.record("success", 10);
  assert.deepEqual(window.totals(100_000), { requests: 2, failures: 1 });
});

Deno.test("RollingWindow agrees with a list of all outcomes", () => {
  const events = fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.boolean()));
  fc.assert(fc.property(events, (steps) => {
    const window = new RollingWindow();
    const seen: { readonly second: number; readonly failed: boolean }[] = [];
    let nowMs = 0;
    for (const [waitMs, failed] of steps) {
      nowMs += waitMs;
      window.record(failed ? "failure" : "success", nowMs);
      const second = Math.floor(nowMs / 1000);
      seen.push({ second, failed });
      const recent = seen.filter((item) => item.second > second - 60);
      assert.deepEqual(window.totals(nowMs), {
        requests: recent.length,
        failures: recent.filter((item) => item.failed).length,
      });
    }
  }));
});
