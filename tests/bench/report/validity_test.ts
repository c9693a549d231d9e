import assert from "node:assert/strict";
import type { Figures } from "../../../bench/report/figures.ts";
import {
  faultsOf,
  isDisturbed,
  quietest,
  withholdDriverBound,
} from "../../../bench/report/validity.ts";
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
    load: "voice-32",
    figures: { driverShare: 0.96, subjectShare: 1 },
    fault: /driver was busy for 96 %/,
  },
  {
    name: "paced messages that leave late",
    load: "voice-32",
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
  const cells = [cell({ subject: "direct", load: "voice-32" }, { arrivedShare: 0.9 })];
  assert.deepEqual(faultsOf(results({ cells })), [
    "direct, voice-32: 90 % of the messages arrived",
  ]);
});

Deno.test("faultsOf: a tunnel that is faster than the driver spoils nothing but its own times", () => {
  const figures = { driverShare: 0.99, subjectShare: 0.6, p50Ms: 1, messagesPerSecond: 9 };
  const cells = [cell({ subject: "nginx", load: "closed-2500x1" }, figures)];
  assert.deepEqual(faultsOf(results({ cells })), []);
});

Deno.test("withholdDriverBound: takes the times and rates of a tunnel, and leaves its CPU", () => {
  const bound = {
    ...{ p50Ms: 1, p95Ms: 2, p99Ms: 3, messagesPerSecond: 4, cpuMicrosPerMessage: 5 },
    ...{ driverShare: 0.99, subjectShare: 0.6 },
  };
  const free = { ...bound, subjectShare: 0.9 };
  const [at, other] = [{ subject: "nginx", load: "closed-2500x1" }, {
    subject: "a",
    load: "closed-2500x1",
  }];
  const paced = { subject: "nginx", load: "voice-32" };
  const kept = withholdDriverBound(
    results({ cells: [cell(at, bound), cell(other, free), cell(paced, bound)] }),
  );
  assert.deepEqual(kept.withheld, [at]);
  assert.deepEqual(kept.cells[0]?.figures, {
    cpuMicrosPerMessage: 5,
    driverShare: 0.99,
    subjectShare: 0.6,
  });
  assert.deepEqual(kept.cells[1]?.figures, free);
  assert.deepEqual(kept.cells[2]?.figures, bound);
});

Deno.test("isDisturbed, quietest: cores that were moved apart are worse than other programs", () => {
  const sample = (coreDistanceNs: number, othersShare = 0) => ({
    ...{ subject: "a", load: "storm", round: 1, figures: { coreDistanceNs, othersShare } },
  });
  assert.deepEqual([50, 125, 126].map((ns) => isDisturbed(sample(ns), 50)), [false, false, true]);
  assert.equal(isDisturbed(sample(400)), false);
  assert.deepEqual(quietest([sample(400), sample(60, 0.5), sample(410)], 50), sample(60, 0.5));
});

Deno.test("faultsOf: cores that were apart in most rounds of a cell", () => {
  const at = { subject: "router", load: "storm" };
  const apart = { coreDistanceNs: 400 };
  const rounds = [{ coreDistanceNs: 50 }, apart, apart];
  assert.deepEqual(faultsOf(results({ cells: [{ ...cell(at, apart), rounds }] })), [
    "router, storm: the cores were 400 ns apart, and 50 at best",
  ]);
  const near = { ...cell(at, { coreDistanceNs: 60 }), rounds };
  assert.deepEqual(faultsOf(results({ cells: [near] })), []);
});

Deno.test("isDisturbed, quietest: by what other programs used", () => {
  const sample = (othersShare: number) => ({
    ...{ subject: "a", load: "storm", round: 1, figures: { othersShare } },
  });
  assert.deepEqual([0, 0.15, 0.16].map((share) => isDisturbed(sample(share))), [
    false,
    false,
    true,
  ]);
  assert.equal(isDisturbed({ figures: {} }), false);
  assert.deepEqual(quietest([sample(0.5), sample(0.2), sample(0.9)]), sample(0.2));
});
