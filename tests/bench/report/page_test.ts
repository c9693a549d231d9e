import assert from "node:assert/strict";
import { FULL, loadsOf, pacedBy } from "../../../bench/plan/loads.ts";
import { budgetOf } from "../../../bench/report/budget.ts";
import { growthTable } from "../../../bench/report/growth.ts";
import { benchmarksPage, resultsPage } from "../../../bench/report/page.ts";
import { plotsOf } from "../../../bench/report/plots.ts";
import { readingOf } from "../../../bench/report/reading.ts";
import { loadTables } from "../../../bench/report/tables.ts";
import { cell, cellsOfSubject, results } from "./results_fixture.ts";

Deno.test("benchmarksPage: without results it says how they are made", () => {
  const page = benchmarksPage(undefined);
  assert.match(page, /^# Benchmarks\n\nNo results are kept yet\./);
});

Deno.test("benchmarksPage: machine, versions, what was left out, ratios and plots", () => {
  const page = benchmarksPage(results());
  assert.match(page, /\| processor +\| 2 cores of a processor +\|/);
  assert.match(page, /\| nginx tunnel +\| 1\.22 +\|/);
  assert.match(page, /\| left out +\| haproxy: haproxy is not on this machine +\|/);
  assert.match(page, /\| 32 sessions, 1 in flight, 2\.5 KB \| 3\.00 × \|/);
  for (const { name } of plotsOf(results())) assert.ok(page.includes(`bench/results/${name}.svg`));
});

Deno.test("benchmarksPage: an overloaded subject has no ratio of times", () => {
  const cells = [
    cell({ subject: "nginx", load: "voice-256" }, { p50Ms: 1, cpuMicrosPerMessage: 10 }),
    cell({ subject: "router", load: "voice-256" }, {
      p50Ms: 900,
      cpuMicrosPerMessage: 30,
      subjectShare: 1,
    }),
  ];
  const page = benchmarksPage(results({ cells }));
  assert.match(page, /\| paced voice, 256 sessions \| overloaded \|/);
  assert.match(page, /\| paced voice, 256 sessions \| 3\.00 × +\|/);
  assert.match(page, /paced voice, 256 sessions: too much on one core for: router\./);
});

Deno.test("benchmarksPage: names the cells whose times are withheld", () => {
  const page = benchmarksPage(results({ withheld: [{ subject: "nginx", load: "closed-200x4" }] }));
  assert.match(page, /\| times withheld +\| nginx at closed-200x4: faster than the driver +\|/);
});

Deno.test("benchmarksPage: without nginx it compares nothing", () => {
  const page = benchmarksPage(results({ cells: cellsOfSubject("router", 3) }));
  assert.match(page, /nginx did not take part/);
});

Deno.test("budgetOf: decides by the ratio, and only what was measured", () => {
  const kept = (factor: number) =>
    budgetOf(results({
      cells: [...cellsOfSubject("nginx", 1), ...cellsOfSubject("router", factor)],
    })).filter(({ isKept }) => isKept).map(({ budget }) => budget);
  const all = budgetOf(results()).map(({ budget }) => budget);
  assert.equal(all.length, 8);
  assert.deepEqual(kept(1), all);
  // Three times nginx: of the ratios only the CPU's is kept; 0.4 ms and the memory are at their edge.
  assert.deepEqual(kept(3.1), all.filter((budget) => /^CPU|idle|takes/.test(budget)));
  assert.deepEqual(budgetOf(results({ cells: [] })), []);
});

Deno.test.each([
  { from: 20, to: 24, isKept: true },
  { from: 20, to: 24.1, isKept: false },
  { from: 60, to: 30, isKept: true },
])("budgetOf: CPU a message from $from to $to µs: $isKept", ({ from, to, isKept }) => {
  const cells = [
    cell({ subject: "router", load: "voice-32" }, { cpuMicrosPerMessage: from }),
    cell({ subject: "router", load: "voice-256" }, { cpuMicrosPerMessage: to }),
  ];
  assert.deepEqual(budgetOf(results({ cells })).map((line) => line.isKept), [isKept]);
});

Deno.test("budgetOf, growthTable: the same messages over more sessions have lines of their own", () => {
  const loads = pacedBy("even", loadsOf(FULL));
  const cells = loads.map(({ name, sessions }) =>
    cell({ subject: "router", load: name }, {
      ...{ cpuMicrosPerMessage: sessions === 32 ? 50 : 61, residentBytes: 1e6 },
    })
  );
  const run = results({ loads, cells });
  const [line, ...others] = budgetOf(run);
  assert.match(line!.budget, /32 to 1,000 sessions, as many messages$/);
  assert.deepEqual([line!.here, line!.isKept, others], ["+22 %", false, []]);
  assert.match(growthTable(run, "even")!, /^\| router +\| 50\.0 → 61\.0 +\| \+22 % /m);
  assert.equal(growthTable(run, "voice"), undefined);
});

Deno.test("readingOf: the best and the worst ratio, and how far the rounds lie apart", () => {
  const reading = readingOf(results());
  assert.match(reading[0]!, /^p50 ms: from 3\.00 × that of nginx \(.+\) to 3\.00 × /);
  assert.match(reading.at(-1)!, /^The rounds lie apart/);
  assert.match(readingOf(results({ rounds: 1 })).at(-1)!, /^One round only/);
});

Deno.test("growthTable: CPU and memory over the paced loads", () => {
  const rows = growthTable(results(), "voice")?.split("\n").map((row) =>
    row.split("|").slice(1, -1).map((text) => text.trim())
  );
  assert.deepEqual(rows?.[0]?.slice(0, 2), ["subject", "CPU µs/message at 32 → 256"]);
  assert.deepEqual(rows?.[3], ["router", "90.0 → 45.0", "−50 %", "30 → 60", "131"]);
  const [paced] = results().loads.filter(({ kind }) => kind === "paced");
  assert.equal(growthTable(results({ loads: [paced!] }), "voice"), undefined);
  assert.equal(growthTable(results(), "even"), undefined);
});

Deno.test("loadTables: a table for each load, a row for each subject that carried it", () => {
  const text = loadTables(results({ cells: cellsOfSubject("router", 3) }));
  assert.equal(text.match(/^### /gm)?.length, 5);
  assert.equal(text.match(/^\| router /gm)?.length, 5);
  assert.doesNotMatch(text, /^\| nginx/m);
});

Deno.test("resultsPage: has no number that is none", () => {
  assert.doesNotMatch(resultsPage(results()), /NaN|undefined|null/);
  assert.doesNotMatch(benchmarksPage(results()), /NaN|undefined|null/);
});

Deno.test("plotsOf: a value for each load and subject, none of loads that did not run", () => {
  const plots = plotsOf(results());
  assert.deepEqual(plots.map(({ name }) => name), [
    ...["round_trip", "cpu", "cpu_growth", "memory_growth"],
  ]);
  assert.deepEqual(plots[3]?.option.series, [
    { name: "nginx tunnel", type: "line", color: "#999999", data: [10, 20] },
    { name: "router", type: "line", color: "#56b4e9", data: [30, 60] },
  ]);
  assert.deepEqual(plotsOf(results({ loads: [] })), []);
});
