/**
 * A run: every load over every subject, for a number of rounds.
 *
 * @module
 */

import type { Load } from "../plan/loads.ts";
import { cellsOf } from "../report/aggregate.ts";
import type { Results, Sample } from "../report/figures.ts";
import { type Presence, presenceOf } from "./adapters.ts";
import { DriverProcess } from "./driver_process.ts";
import { furtherRounds } from "./further_rounds.ts";
import { machine } from "./machine.ts";
import { type Asked, Sampler } from "./sampler.ts";
import type { Subject } from "./subject.ts";

/** What is to be run. */
export interface BenchmarkPlan {
  readonly subjects: readonly Subject[];
  readonly loads: readonly Load[];
  readonly rounds: number;
  /**
   * For so long, from its start, it takes further rounds of the load whose ratios are least certain, unless all
   * are certain earlier. @default {0}
   */
  readonly minutes?: number;
  readonly quick: boolean;
  /** How often a disturbed sample is taken again; the least disturbed counts. @default {0} */
  readonly repeats?: number;
  /** Told of every sample. */
  readonly onSample?: (sample: Sample) => void;
}

/**
 * Runs it. Within a round, all subjects carry a load before the next load comes, so that what disturbs the
 * machine for a while disturbs all of them. Every sample has a process of its own: memory and the state of
 * an allocator are of that load alone.
 */
export async function runBenchmark(plan: BenchmarkPlan): Promise<Results> {
  const startedAt = new Date();
  const isOver = () => Date.now() - startedAt.getTime() >= (plan.minutes ?? 0) * 60_000;
  const presences = await Promise.all(plan.subjects.map(presenceOf));
  const present = plan.subjects.filter((_, index) => "record" in presences[index]!);
  await using driver = await DriverProcess.start();
  const { repeats = 0, onSample = () => {} } = plan;
  const sampler = new Sampler({ driver, repeats, onSample });
  const asked = [...askedOf(plan, present)];
  const samples: Sample[] = [];
  const take = async (one: Asked) => void samples.push(await sampler.take(one));
  for (const one of asked) await take(one);
  let further = 0;
  for (const round of furtherRounds(plan, { subjects: present, samples, isOver })) {
    for (const one of round) {
      asked.push(one);
      await take(one);
    }
    further++;
  }
  // What looked undisturbed at first may not, beside what the machine turned out to be.
  for (const [index, one] of asked.entries()) {
    if (repeats > 0 && sampler.isDisturbed(samples[index]!)) {
      samples[index] = await sampler.take(one);
    }
  }
  return {
    startedAt: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
    quick: plan.quick,
    rounds: plan.rounds,
    furtherRounds: further,
    repeated: sampler.attempts - asked.length,
    machine: await machine(),
    deno: Deno.version.deno,
    ...recordsOf(plan.subjects, presences),
    loads: plan.loads,
    withheld: [],
    cells: cellsOf(samples),
  };
}

/** In the order in which they are taken. */
function askedOf({ rounds, loads }: BenchmarkPlan, subjects: readonly Subject[]): readonly Asked[] {
  return Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    loads.flatMap((load) =>
      subjects
        .filter(({ launch }) => launch !== undefined || load.kind !== "idle")
        .map((subject) => ({ subject, load, round }))
    )
  );
}

function recordsOf(
  subjects: readonly Subject[],
  presences: readonly Presence[],
): Pick<Results, "subjects" | "leftOut"> {
  return {
    subjects: presences.flatMap((presence) => "record" in presence ? [presence.record] : []),
    leftOut: presences.flatMap((presence, index) =>
      "reason" in presence ? [{ name: subjects[index]!.name, reason: presence.reason }] : []
    ),
  };
}
