import assert from "node:assert/strict";
import { comparisonLines, differencesOf, disagreements } from "../../../bench/report/compare.ts";
import { isOverloaded, ratiosOf } from "../../../bench/report/ratios.ts";
import { cell, cellsOfSubject, results } from "./results_fixture.ts";

/** A run in which the router costs that many times nginx. */
function run(factor: number) {
  return results({ cells: [...cellsOfSubject("nginx", 1), ...cellsOfSubject("router", factor)] });
}

Deno.test("ratiosOf: of every subject but the reference, over the reference", () => {
  const ratios = ratiosOf(run(3));
  assert.deepEqual(new Set(ratios.map(({ subject }) => subject)), new Set(["router"]));
  const of = (load: string, metric: string) =>
    ratios.find((ratio) => ratio.load === load && ratio.metric === metric)?.value.toFixed(6);
  assert.equal(of("closed-2500x1", "p50Ms"), "3.000000");
  assert.equal(of("closed-2500x1", "messagesPerSecond"), "0.333333");
  assert.equal(of("idle", "residentBytesPerSession"), "3.000000");
});

Deno.test("ratiosOf: the mean of the rounds' ratios, not the ratio of medians", () => {
  const rounds = (values: readonly number[]) => values.map((p50Ms) => ({ p50Ms }));
  const of = (subject: string, values: readonly number[]) => ({
    ...cell({ subject, load: "closed-2500x1" }, { p50Ms: values[1]! }),
    rounds: rounds(values),
  });
  // The machine grows slower: 1, 8 and 8 times nginx. The ratio of the medians would be 8.
  const cells = [of("nginx", [1, 2, 4]), of("router", [1, 16, 32])];
  assert.deepEqual(ratiosOf(results({ cells })).map(({ value }) => value.toFixed(6)), ["4.000000"]);
});

Deno.test("ratiosOf: none of times that were withheld, of the reference or of another", () => {
  const at = { subject: "nginx", load: "closed-2500x1" };
  const [full] = cellsOfSubject("nginx", 1);
  const withheld = { ...full!, figures: { cpuMicrosPerMessage: 5 } };
  const metrics = (cells: ReturnType<typeof cellsOfSubject>) =>
    ratiosOf(results({ cells })).map(({ metric }) => metric);
  const [router] = cellsOfSubject("router", 3);
  assert.deepEqual(metrics([withheld, router!]), ["cpuMicrosPerMessage"]);
  assert.deepEqual(metrics([{ ...router!, ...at }, { ...withheld, subject: "haproxy" }]), [
    "cpuMicrosPerMessage",
  ]);
});

Deno.test("ratiosOf: none without the reference, and none of what has nothing in between", () => {
  assert.deepEqual(ratiosOf(results({ cells: cellsOfSubject("router", 3) })), []);
  const cells = [...cellsOfSubject("nginx", 1), ...cellsOfSubject("direct", 1)];
  assert.deepEqual(ratiosOf(results({ cells })), []);
});

Deno.test.each([
  { subjectShare: 0.98, arrivedShare: 1, expected: true },
  { subjectShare: 0.5, arrivedShare: 0.98, expected: true },
  { subjectShare: 0.96, arrivedShare: 0.99, expected: false },
])("isOverloaded: $subjectShare of its core, $arrivedShare arrived: $expected", (row) => {
  assert.equal(isOverloaded(row), row.expected);
});

Deno.test("differencesOf: ratios within 15 % agree, those beyond do not", () => {
  assert.deepEqual(disagreements(differencesOf(run(3), run(3.4))), []);
  const failing = disagreements(differencesOf(run(3), run(3.6)));
  assert.ok(failing.some(({ metric }) => metric === "cpuMicrosPerMessage"));
  assert.ok(Math.abs(failing[0]!.difference - 0.2) < 1e-9);
});

Deno.test("differencesOf: the order of the runs does not matter", () => {
  const differences = (one: number, other: number) =>
    differencesOf(run(one), run(other)).map(({ difference }) => difference.toFixed(6));
  assert.deepEqual(differences(3, 4), differences(4, 3));
});

Deno.test("differencesOf: a p99 is shown and not held", () => {
  const p99 = differencesOf(run(3), run(9)).filter(({ metric }) => metric === "p99Ms");
  assert.equal(p99.length, 3);
  assert.ok(p99.every(({ isHeld }) => !isHeld));
});

Deno.test("differencesOf: times of an overloaded subject are not held, its CPU is", () => {
  const overloaded = (p50Ms: number) =>
    results({
      cells: [
        cell({ subject: "nginx", load: "voice-256" }, { p50Ms: 1, cpuMicrosPerMessage: 10 }),
        cell({ subject: "router", load: "voice-256" }, {
          p50Ms,
          cpuMicrosPerMessage: 30,
          subjectShare: 1,
        }),
      ],
    });
  const held = differencesOf(overloaded(300), overloaded(900)).filter(({ isHeld }) => isHeld);
  assert.deepEqual(held.map(({ metric }) => metric), ["cpuMicrosPerMessage"]);
});

Deno.test("comparisonLines: counts what agrees and names what does not", () => {
  const [first = "", second = ""] = comparisonLines(differencesOf(run(3), run(6)));
  assert.match(first, /^0 of 15 ratios agree within 15 %$/);
  assert.match(second, /^[\w-]+, router, \w+: [\d.]+ and [\d.]+, 100 % apart$/);
  assert.deepEqual(comparisonLines([]), ["the runs have no ratio in common"]);
});

Deno.test("differencesOf: times of a closed loop that waits for timers are not held, its CPU is", () => {
  const waiting = (factor: number) => {
    const [closed] = cellsOfSubject("router", factor);
    const figures = { ...closed!.figures, subjectShare: 0.1, driverShare: 0.1 };
    const cells = [...cellsOfSubject("nginx", 1), cell({ ...closed! }, figures)];
    return results({ cells });
  };
  const failing = disagreements(differencesOf(waiting(3), waiting(4)));
  assert.deepEqual(failing.map(({ metric }) => metric), ["cpuMicrosPerMessage"]);
});
