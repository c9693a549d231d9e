/**
 * A run: every load over every subject, for a number of rounds.
 *
 * @module
 */

import type { Load } from "../plan/loads.ts";
import { cellsOf } from "../report/aggregate.ts";
import type { Figures, Results, Sample } from "../report/figures.ts";
import { isDisturbed, quietest } from "../report/validity.ts";
import { type Presence, presenceOf } from "./adapters.ts";
import { DriverProcess } from "./driver_process.ts";
import { machine } from "./machine.ts";
import { startSubject } from "./running_subject.ts";
import type { Subject } from "./subject.ts";

/** What is to be run. */
export interface BenchmarkPlan {
  readonly subjects: readonly Subject[];
  readonly loads: readonly Load[];
  readonly rounds: number;
  readonly quick: boolean;
  /** How often a sample is taken again when other programs disturbed it; the quietest counts. @default {0} */
  readonly repeats?: number;
  /** Told of every sample. */
  readonly onSample?: (sample: Sample) => void;
}

const WARM_UP_MS = 600;

/**
 * Runs it. Within a round, all subjects carry a load before the next load comes, so that what disturbs the
 * machine for a while disturbs all of them. Every sample has a process of its own: memory and the state of
 * an allocator are of that load alone.
 */
export async function runBenchmark(plan: BenchmarkPlan): Promise<Results> {
  const startedAt = new Date();
  const presences = await Promise.all(plan.subjects.map(presenceOf));
  const present = plan.subjects.filter((_, index) => "record" in presences[index]!);
  await using driver = await DriverProcess.start();
  const samples: Sample[] = [];
  let repeated = 0;
  for (let round = 1; round <= plan.rounds; round++) {
    for (const load of plan.loads) {
      for (const subject of present) {
        if (subject.launch === undefined && load.kind === "idle") continue;
        const attempts: Sample[] = [];
        do {
          const figures = await runLoad(subject, { driver, load });
          attempts.push({ subject: subject.name, load: load.name, round, figures });
          plan.onSample?.(attempts.at(-1)!);
        } while (attempts.every(isDisturbed) && attempts.length <= (plan.repeats ?? 0));
        samples.push(quietest(attempts));
        repeated += attempts.length - 1;
      }
    }
  }
  return {
    startedAt: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1000),
    quick: plan.quick,
    rounds: plan.rounds,
    repeated,
    machine: await machine(),
    deno: Deno.version.deno,
    ...recordsOf(plan.subjects, presences),
    loads: plan.loads,
    withheld: [],
    cells: cellsOf(samples),
  };
}

async function runLoad(
  subject: Subject,
  { driver, load }: { readonly driver: DriverProcess; readonly load: Load },
): Promise<Figures> {
  try {
    await using running = await startSubject(subject, driver);
    const { port, pid, startMs } = running;
    const { path, headers = {} } = subject;
    const figures = await driver.run({
      target: { port, path, headers },
      ...pid === undefined ? {} : { pid },
      warmUpMs: pid === undefined ? 0 : WARM_UP_MS,
      load,
    });
    return { ...figures, ...startMs === undefined ? {} : { startMs } };
  } catch (error) {
    throw new Error(`${subject.name}, ${load.name}`, { cause: error });
  }
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
