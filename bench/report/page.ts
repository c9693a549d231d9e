/**
 * `docs/benchmarks.md` and `bench/results/results.md`, made of a run.
 *
 * @module
 */

import { describeLoad, isCrowd, type Load, type Pattern } from "../plan/loads.ts";
import { budgetOf } from "./budget.ts";
import { leastCertain } from "./certainty.ts";
import type { Results } from "./figures.ts";
import { growthTable } from "./growth.ts";
import { list, paragraph, table } from "./markdown.ts";
import { plotsOf } from "./plots.ts";
import { COMPARED, type Ratio, ratiosOf, REFERENCE } from "./ratios.ts";
import { readingOf } from "./reading.ts";
import { loadTables } from "./tables.ts";
import { METRICS, times } from "./units.ts";

const RESULTS = "../bench/results";
const PINNED = "one for the subject, one for the driver; kept awake but for the even loads";

/** The page about a run; undefined when there is none. */
export function benchmarksPage(results: Results | undefined): string {
  return ["# Benchmarks\n", ...results === undefined ? noResults() : sections(results)].join("\n");
}

/** Every figure of a run. */
export function resultsPage(results: Results): string {
  return ["# Results\n", runTable(results), loadTables(results)].join("\n");
}

function noResults(): readonly string[] {
  return [
    paragraph(
      "No results are kept yet. `deno task bench` measures the router beside other relays on a " +
        "quiet machine, and `deno task bench:report` writes this page. The method is in " +
        "[bench/README.md](../bench/README.md).",
    ),
  ];
}

function sections(results: Results): readonly string[] {
  const reading = readingOf(results);
  const budget = budgetOf(results);
  return [
    paragraph(
      "What the router costs beside other relays, measured in one run on one machine. Ratios of " +
        "one run mean something elsewhere too; times and rates do not. This page is written by " +
        "`deno task bench:report` from [results.json](../bench/results/results.json); all figures " +
        "are in [results.md](../bench/results/results.md), the method in " +
        "[bench/README.md](../bench/README.md).",
    ),
    "## The run\n",
    runTable(results),
    "## Beside nginx\n",
    ...ratioSections(results),
    ...growthSections(results),
    "## The budget\n",
    budget.length === 0 ? paragraph("The run decides nothing of it.") : table(
      ["budget", "here", "kept"],
      budget.map((line) => [
        line.budget,
        line.here,
        line.isKept ? "yes" : "no",
      ]),
    ),
    "## What the figures say\n",
    list(reading),
    "## What they do not say\n",
    list([
      "The tunnels copy bytes. The router parses every frame's head, relays whole messages, holds " +
      "limits, meters and counts; it is not meant to cost what they cost.",
      "A closed loop fills the subject's core: its times are how long a message waits there, and " +
      "follow the CPU a message costs. What a caller feels is in the paced loads.",
      "Loads of the same number of messages in all leave the cores as they are, the others keep them " +
      "awake. Where they are kept awake, more sessions cost more than here: " +
      '[bench/README.md](../bench/README.md), "Many sessions".',
      "Everything runs over the loopback, without TLS, with metering and metrics on and session " +
      "logs off. A network adds the same to all.",
      "One process on one core. More replicas carry more; see [deployment](deploy.md).",
    ]),
    "## Plots\n",
    ...plotsOf(results).map(({ name, alternative }) =>
      `![${alternative}](${RESULTS}/${name}.svg)\n`
    ),
  ];
}

function runTable(results: Results): string {
  const { machine } = results;
  const leftOut = results.leftOut.map(({ name, reason }) => `${name}: ${reason}`);
  const withheld = results.withheld.map(({ subject, load }) => `${subject} at ${load}`);
  return table(["what", "of this run"], [
    ["when", results.startedAt.slice(0, 10)],
    ["processor", `${machine.cores} cores of ${machine.cpu}`],
    ["memory", `${(machine.memoryBytes / 2 ** 30).toFixed(0)} GiB`],
    ["system", machine.kernel],
    ["cores", machine.pinned ? PINNED : "not pinned"],
    ["rounds of all loads", `${results.rounds}, in ${results.seconds} s with the further ones`],
    ["further rounds of single loads", furtherRounds(results)],
    ["from core to core and back", distances(results)],
    ["disturbed samples taken again", String(results.repeated)],
    ...results.subjects.filter(({ version }) => version !== "").map(({ title, version }) => [
      title,
      version,
    ]),
    [
      "times withheld",
      withheld.length === 0 ? "none" : `${withheld.join(", ")}: faster than the driver`,
    ],
    ["left out", leftOut.length === 0 ? "nothing" : leftOut.join("; ")],
  ]);
}

function furtherRounds(results: Results): string {
  const error = leastCertain(results)?.error ?? Infinity;
  return error === Infinity
    ? String(results.furtherRounds)
    : `${results.furtherRounds}; the standard error of a ratio is ${
      (error * 100).toFixed(1)
    } % at most`;
}

/** Of the samples that count. */
function distances({ cells }: Results): string {
  const ns = cells.flatMap(({ rounds }) => rounds.flatMap((round) => round.coreDistanceNs ?? []));
  return ns.length === 0
    ? "not measured"
    : `${Math.min(...ns).toFixed(0)} to ${Math.max(...ns).toFixed(0)} ns`;
}

const GROWTH: Readonly<Record<Pattern, string>> = {
  voice:
    "Paced voice: every session adds its messages, and a process that has more of them to do at " +
    "a time pays less for each.",
  even: "The same number of messages in all, shared by more sessions: what a session itself costs.",
};

function growthSections(results: Results): readonly string[] {
  const parts = (Object.keys(GROWTH) as Pattern[]).flatMap((pattern) => {
    const growth = growthTable(results, pattern);
    return growth === undefined ? [] : [paragraph(GROWTH[pattern]), growth];
  });
  return parts.length === 0 ? [] : ["## Growth with sessions\n", ...parts];
}

function ratioSections(results: Results): readonly string[] {
  const ratios = ratiosOf(results);
  if (ratios.length === 0) {
    return [paragraph("nginx did not take part, so that there is nothing to compare with.")];
  }
  const metrics = new Set(Object.values(COMPARED).flat());
  return [
    paragraph(
      "Each figure over that of the nginx tunnel in the same run. Lesser is better, but " +
        "for messages and sessions a second.",
    ),
    ...[...metrics].flatMap((metric) => {
      const of = ratios.filter((ratio) => ratio.metric === metric);
      return of.length === 0 ? [] : [`### ${METRICS[metric].heading}\n`, ratioTable(results, of)];
    }),
  ];
}

function ratioTable(results: Results, ratios: readonly Ratio[]): string {
  const subjects = results.subjects.filter(({ name }) =>
    name !== REFERENCE && ratios.some(({ subject }) => subject === name)
  );
  const loads = results.loads.filter(({ name }) => ratios.some(({ load }) => load === name));
  const value = (subject: string, load: string) =>
    ratios.find((ratio) => ratio.subject === subject && ratio.load === load);
  const cell = (ratio: Ratio | undefined, load: Load) => {
    if (ratio?.isOfOverload !== true) return times(ratio?.value);
    return isCrowd(load) ? "queueing" : "overloaded";
  };
  return table(
    ["load", ...subjects.map(({ title }) => title)],
    loads.map((load) => [
      describeLoad(load),
      ...subjects.map(({ name }) => cell(value(name, load.name), load)),
    ]),
  );
}
