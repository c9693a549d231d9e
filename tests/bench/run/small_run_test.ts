import assert from "node:assert/strict";
import type { Load } from "../../../bench/plan/loads.ts";
import { choose } from "../../../bench/plan/arguments.ts";
import { draw } from "../../../bench/report/draw.ts";
import { cellOf } from "../../../bench/report/figures.ts";
import { plotsOf } from "../../../bench/report/plots.ts";
import { loadSubjects, presenceOf } from "../../../bench/run/adapters.ts";
import { runBenchmark } from "../../../bench/run/benchmark.ts";
import type { Subject } from "../../../bench/run/subject.ts";

const LOADS: readonly Load[] = [
  {
    ...{ kind: "closed", name: "closed", sessions: 2, inFlight: 2 },
    ...{ messageBytes: 2_500, durationMs: 100 },
  },
  { kind: "paced", name: "paced", pattern: "voice", sessions: 4, durationMs: 1_500 },
  { kind: "paced", name: "even", pattern: "even", sessions: 4, durationMs: 500 },
  { kind: "storm", name: "storm", sessions: 10, atOnce: 4, waves: 2 },
  { kind: "idle", name: "idle", sessions: 10, settleMs: 50 },
];

Deno.test("runBenchmark: every load directly and through the router", async () => {
  const subjects = choose(await loadSubjects(), ["direct", "router"]);
  const run = await runBenchmark({ subjects, loads: LOADS, rounds: 1, quick: true });
  const figures = (subject: string, load: string) =>
    cellOf(run, { subject, load })?.figures ?? assert.fail(`${subject}, ${load}`);
  for (const subject of ["direct", "router"]) {
    const { p50Ms = 0, p99Ms = 0, messagesPerSecond = 0 } = figures(subject, "closed");
    assert.ok(p50Ms > 0 && p99Ms >= p50Ms && messagesPerSecond > 0, subject);
    const paced = figures(subject, "paced");
    // 4 sessions: 100 messages a second up and 20 down.
    assert.ok(Math.abs((paced.messagesPerSecond ?? 0) - 120) < 12, subject);
    assert.ok((paced.p50Ms ?? 0) > 0 && (paced.upP50Ms ?? 0) > 0, subject);
    // 4,000 messages a second up, however many sessions, and as many down.
    assert.ok(Math.abs((figures(subject, "even").messagesPerSecond ?? 0) - 8_000) < 400, subject);
    assert.ok((figures(subject, "storm").readyP50Ms ?? 0) > 0, subject);
  }
  const { cpuMicrosPerMessage = 0, residentBytes = 0 } = figures("router", "closed");
  assert.ok(cpuMicrosPerMessage > 0 && residentBytes > 10e6);
  assert.equal(figures("direct", "closed").cpuMicrosPerMessage, undefined);
  assert.ok("residentBytesPerSession" in figures("router", "idle"));
  assert.equal(cellOf(run, { subject: "direct", load: "idle" }), undefined);
  for (const plot of plotsOf(run)) assert.match(draw(plot), /^<svg[\s\S]+<\/svg>\n$/);
});

const ABSENT: Subject = {
  name: "absent",
  title: "absent",
  order: 1,
  path: "/",
  version: { command: ["no-such-program-here"], pattern: /./ },
  launch: () => ({ command: ["no-such-program-here"] }),
};

Deno.test("runBenchmark: a program that is absent is left out, with the reason", async () => {
  assert.deepEqual(await presenceOf(ABSENT), {
    reason: "no-such-program-here is not on this machine",
  });
  const run = await runBenchmark({ subjects: [ABSENT], loads: LOADS, rounds: 1, quick: true });
  assert.deepEqual(run.leftOut, [
    { name: "absent", reason: "no-such-program-here is not on this machine" },
  ]);
  assert.deepEqual(run.cells, []);
});

Deno.test("runBenchmark: a subject that refuses sessions fails the run, by name", async () => {
  const [router] = choose(await loadSubjects(), ["router"]);
  const refusing = { ...router!, path: "/v1/realtime?model=unknown" };
  await assert.rejects(
    runBenchmark({ subjects: [refusing], loads: LOADS, rounds: 1, quick: true }),
    (error: Error) => {
      assert.equal(error.message, "router, closed");
      assert.match(String(error.cause), /session \d: answered 404/);
      return true;
    },
  );
});

Deno.test("loadSubjects: names and orders are unique, and each says where it is reached", async () => {
  const subjects = await loadSubjects();
  assert.equal(new Set(subjects.map(({ name }) => name)).size, subjects.length);
  assert.equal(new Set(subjects.map(({ order }) => order)).size, subjects.length);
  for (const { path, launch, version } of subjects) {
    assert.match(path, /^\//);
    assert.equal(launch === undefined, version === undefined);
  }
});
