/**
 * What is printed while a run goes on.
 *
 * @module
 */

import type { Metric, Sample } from "./figures.ts";
import { METRICS, shown } from "./units.ts";

/** A sample as one line. */
export function sampleLine({ round, load, subject, figures }: Sample): string {
  const values = (Object.keys(METRICS) as Metric[])
    .filter((metric) => figures[metric] !== undefined)
    .map((metric) => `${METRICS[metric].heading} ${shown(metric, figures[metric])}`);
  return `${round} ${load} ${subject}: ${values.join(", ")}`;
}
