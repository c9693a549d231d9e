import assert from "node:assert/strict";
import { loadsOf, QUICK } from "../../../bench/plan/loads.ts";
import type { Sample } from "../../../bench/report/figures.ts";
import { furtherRounds } from "../../../bench/run/further_rounds.ts";
import type { Subject } from "../../../bench/run/subject.ts";

const LOADS = loadsOf(QUICK).filter(({ kind }) => kind === "paced");
const PLAN = { loads: LOADS, rounds: 2 };
const launch = () => ({ command: ["nothing"] as const });
const SUBJECTS: readonly Subject[] = [
  { name: "direct", title: "nothing in between", order: 1, path: "/" },
  { name: "nginx", title: "nginx", order: 2, path: "/", launch },
  { name: "router", title: "router", order: 3, path: "/", launch },
];

/** Samples of nginx, which always takes 1, and of the router. */
function samplesOf(load: string, costs: readonly number[]): Sample[] {
  return costs.flatMap((cpuMicrosPerMessage, index) => [
    { subject: "nginx", load, round: index + 1, figures: { cpuMicrosPerMessage: 1 } },
    { subject: "router", load, round: index + 1, figures: { cpuMicrosPerMessage } },
  ]);
}

Deno.test("furtherRounds: of the least certain load, of what is in between, until all are certain", () => {
  const [first, second, even] = LOADS.map(({ name }) => name) as [string, string, string];
  const samples = [
    ...samplesOf(first, [3, 3]),
    ...samplesOf(second, [3, 4]),
    ...samplesOf(even, [3, 3.5]),
  ];
  const given: string[] = [];
  for (const round of furtherRounds(PLAN, { subjects: SUBJECTS, samples, isOver: () => false })) {
    given.push(...round.map((one) => `${one.round} ${one.load.name} ${one.subject.name}`));
    // As certain as twenty rounds in a row would make it.
    const [{ load }] = round as [typeof round[number]];
    samples.push(...samplesOf(load.name, Array.from({ length: 20 }, () => 3.4)));
  }
  assert.deepEqual(given, [
    `3 ${second} nginx`,
    `3 ${second} router`,
    `4 ${even} nginx`,
    `4 ${even} router`,
  ]);
});

Deno.test("furtherRounds: none when it is over, and none when nothing is compared", () => {
  const samples = samplesOf(LOADS[0]!.name, [3, 4]);
  const over = furtherRounds(PLAN, { subjects: SUBJECTS, samples, isOver: () => true });
  assert.deepEqual([...over], []);
  const alone = samples.filter(({ subject }) => subject === "router");
  const nothing = furtherRounds(PLAN, {
    ...{ subjects: SUBJECTS, samples: alone },
    isOver: () => false,
  });
  assert.deepEqual([...nothing], []);
});
