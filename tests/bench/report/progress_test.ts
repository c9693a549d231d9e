import assert from "node:assert/strict";
import { sampleLine } from "../../../bench/report/progress.ts";

Deno.test("sampleLine: what was measured, in the order of the metrics", () => {
  const figures = { cpuMicrosPerMessage: 5, p50Ms: 0.3 };
  assert.equal(
    sampleLine({ subject: "nginx", load: "storm", round: 2, figures }),
    "2 storm nginx: p50 ms 0.30, CPU µs/message 5.0",
  );
});
