/**
 * Samples that count: what disturbed one is waited for, and the sample is taken again.
 *
 * @module
 */

import { setTimeout as wait } from "node:timers/promises";
import type { Load } from "../plan/loads.ts";
import type { Figures, Sample } from "../report/figures.ts";
import { areApart, isDisturbed, quietest } from "../report/validity.ts";
import type { DriverProcess } from "./driver_process.ts";
import { startSubject } from "./running_subject.ts";
import type { Subject } from "./subject.ts";

/** What a {@link Sampler} needs. */
export interface SamplerOptions {
  readonly driver: SamplingDriver;
  /** How often a disturbed sample is taken again; the least disturbed counts. */
  readonly repeats: number;
  readonly onSample: (sample: Sample) => void;
  /** @default {setTimeout} */
  readonly wait?: (ms: number) => Promise<void>;
}

/** What a {@link Sampler} needs of the driver. */
export type SamplingDriver = Pick<DriverProcess, "backendPort" | "run" | "distanceNs" | "rest">;

/** What a sample is of. */
export interface Asked {
  readonly subject: Subject;
  readonly load: Load;
  readonly round: number;
}

const WARM_UP_MS = 600;
/** For cores that were moved apart, no longer than this is waited in a run. */
const PATIENCE_MS = 10 * 60_000;
const LOOK_EVERY_MS = 500;

/** See the module. */
export class Sampler {
  readonly #options: SamplerOptions;
  #nearestNs = Infinity;
  #patienceMs = PATIENCE_MS;
  #attempts = 0;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** How many samples were taken, those included that do not count. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Takes a sample. */
  async take(asked: Asked): Promise<Sample> {
    const { repeats } = this.#options;
    const attempts: Sample[] = [];
    do {
      if (repeats > 0) await this.#waitForCores();
      attempts.push(await this.#attempt(asked));
    } while (attempts.every((one) => this.isDisturbed(one)) && attempts.length <= repeats);
    return quietest(attempts, this.#nearestNs);
  }

  /** Whether a sample is to be taken again, by what is known of the machine now. */
  isDisturbed(sample: Sample): boolean {
    return isDisturbed(sample, this.#nearestNs);
  }

  async #attempt({ subject, load, round }: Asked): Promise<Sample> {
    this.#attempts++;
    const figures = await runLoad(subject, { driver: this.#options.driver, load });
    this.#nearestNs = Math.min(this.#nearestNs, figures.coreDistanceNs ?? Infinity);
    const sample = { subject: subject.name, load: load.name, round, figures };
    this.#options.onSample(sample);
    return sample;
  }

  /** The host moves cores apart for seconds or minutes. They sleep meanwhile, which may help it to move them back. */
  async #waitForCores(): Promise<void> {
    for (; this.#patienceMs > 0; this.#patienceMs -= LOOK_EVERY_MS) {
      const distanceNs = await this.#options.driver.distanceNs();
      if (distanceNs !== undefined) this.#nearestNs = Math.min(this.#nearestNs, distanceNs);
      if (!areApart(distanceNs, this.#nearestNs)) return;
      await this.#options.driver.rest();
      await (this.#options.wait ?? wait)(LOOK_EVERY_MS);
    }
  }
}

async function runLoad(
  subject: Subject,
  { driver, load }: { readonly driver: SamplingDriver; readonly load: Load },
): Promise<Figures> {
  await using running = await startSubject(subject, driver);
  const { port, pid, startMs, hasEnded } = running;
  const { path, headers = {} } = subject;
  try {
    const figures = await driver.run({
      target: { port, path, headers },
      ...pid === undefined ? {} : { pid },
      warmUpMs: pid === undefined ? 0 : WARM_UP_MS,
      load,
    });
    return { ...figures, ...startMs === undefined ? {} : { startMs } };
  } catch (error) {
    const state = hasEnded() ? " (it has ended)" : "";
    throw new Error(`${subject.name}, ${load.name}${state}`, { cause: error });
  }
}
