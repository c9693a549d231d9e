import assert from "node:assert/strict";
import type { Figures } from "../../../bench/report/figures.ts";
import { faultsOf } from "../../../bench/report/validity.ts";
import { cell, results } from "./results_fixture.ts";

Deno.test("faultsOf: none of a run in which the subjects were busy and the driver was not", () => {
  assert.deepEqual(faultsOf(results()), []);
});

Deno.test.each<{ name: string; load: string; figures: Figures; fault: RegExp | undefined }>([
  {
    name: "a busy driver before an idle subject",
    load: "closed-2500x1",
    figures: { driverShare: 0.99, subjectShare: 0.6 },
    fault: /driver was busy for 99 % of the time, the subject for 60 %/,
  },
  {
    name: "both busy",
    load: "closed-2500x1",
    figures: { driverShare: 0.99, subjectShare: 0.95 },
    fault: undefined,
  },
  {
    name: "nothing in between",
    load: "closed-2500x1",
    figures: { driverShare: 1 },
    fault: undefined,
  },
  {
    name: "a paced load that fills the driver",
    load: "paced-32",
    figures: { driverShare: 0.96, subjectShare: 1 },
    fault: /driver was busy for 96 %/,
  },
  {
    name: "paced messages that leave late",
    load: "paced-32",
    figures: { driverShare: 0.4, lateP99Ms: 6 },
    fault: /left 6\.0 ms late/,
  },
  {
    name: "neighbours",
    load: "storm",
    figures: { othersShare: 0.3 },
    fault: /other programs used 30 % of a core/,
  },
])("faultsOf: $name", ({ load, figures, fault }) => {
  const faults = faultsOf(results({ cells: [cell({ subject: "router", load }, figures)] }));
  assert.equal(faults.length, fault === undefined ? 0 : 1);
  if (fault !== undefined) assert.match(faults[0]!, fault);
});

Deno.test("faultsOf: messages that do not even arrive directly", () => {
  const cells = [cell({ subject: "direct", load: "paced-32" }, { arrivedShare: 0.9 })];
  assert.deepEqual(faultsOf(results({ cells })), [
    "direct, paced-32: 90 % of the messages arrived",
  ]);
});
