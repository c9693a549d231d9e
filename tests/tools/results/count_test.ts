import assert from "node:assert/strict";
import { countResults, countRun, countStep, reportLines } from "../../../tools/results/count.ts";

Deno.test.each([
  { output: "ok | 3 passed | 0 failed (8ms)\n", passed: 3, failed: 0 },
  { output: "\nok | 3 passed (1 step) | 0 failed (19ms)\n\n", passed: 3, failed: 0 },
  {
    output: "FAILED | 1 passed (1 step) | 2 failed (4 steps) | 1 ignored (12ms)\n",
    passed: 1,
    failed: 2,
  },
  { output: "ok | 0 passed | 0 failed | 2 filtered out (6ms)\n", passed: 0, failed: 0 },
  {
    output: "ok | 1234 passed (99 steps) | 0 failed | 1 ignored (1 step) (1m2s)",
    passed: 1234,
    failed: 0,
  },
  { output: "[test:auth] ok | 5 passed | 0 failed (8ms)\n", passed: 5, failed: 0 },
  {
    output: "\x1b[32mok\x1b[0m | 2 passed | 0 failed \x1b[38;5;245m(8ms)\x1b[0m\r\n",
    passed: 2,
    failed: 0,
  },
  {
    output: "ok | 3 passed | 0 failed (8ms)\nnoise\n\nFAILED | 4 passed | 1 failed (2s)\n",
    passed: 7,
    failed: 1,
  },
  { output: "error: Type checking failed.\n", passed: 0, failed: 0 },
  { output: "parse: ok | 3 passed | 0 failed (8ms) ... ok (1ms)\n", passed: 0, failed: 0 },
  { output: "running 3 tests from ./a_test.ts\na ... ok (1ms)\n", passed: 0, failed: 0 },
])("countResults: $passed passed and $failed failed in $output", ({ output, passed, failed }) => {
  assert.deepEqual(countResults(output), { passed, failed });
});

const PASSED = { name: "deno task test", output: "ok | 3 passed | 0 failed (8ms)\n", exitCode: 0 };
const FAILED = {
  name: "deno task e2e",
  output: "FAILED | 1 passed | 2 failed (8ms)\n",
  exitCode: 1,
};
const QUIET = { name: "deno lint", output: "Checked 3 files\n", exitCode: 0 };
const CRASHED = { name: "deno check", output: "error: Type checking failed.\n", exitCode: 1 };
const CUT = { name: "deno task soak", output: "ok | 1 passed | 0 failed (8ms)\n", exitCode: null };

Deno.test.each([
  { step: PASSED, counts: { passed: 3, failed: 0 } },
  { step: FAILED, counts: { passed: 1, failed: 2 } },
  { step: QUIET, counts: { passed: 0, failed: 0 } },
  { step: CRASHED, counts: { passed: 0, failed: 1 } },
  { step: CUT, counts: { passed: 1, failed: 1 } },
])("countStep: $step.name", ({ step, counts }) => {
  assert.deepEqual(countStep(step), counts);
});

Deno.test("countRun: sums the steps", () => {
  assert.deepEqual(countRun([PASSED, FAILED, QUIET, CRASHED]), { passed: 4, failed: 3 });
});

Deno.test.each([{ steps: [] }, { steps: [QUIET] }])(
  "countRun: a run without tests is a failure",
  ({ steps }) => {
    assert.deepEqual(countRun(steps), { passed: 0, failed: 1 });
  },
);

Deno.test("reportLines: ends with the totals", () => {
  assert.deepEqual(reportLines([QUIET, PASSED, CRASHED, CUT]), [
    "deno lint: ok",
    "deno task test: ok, 3 passed, 0 failed",
    "deno check: exit code 1, 0 passed, 1 failed",
    "deno task soak: exit code unknown, 1 passed, 1 failed",
    "",
    "4 passed, 2 failed",
  ]);
});
