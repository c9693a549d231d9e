/**
 * Sessions, tokens and latency over time.
 *
 * @module
 */

import { memo } from "preact/compat";
import type { Sample } from "../data/series.ts";
import type { TextKey } from "../i18n/en.ts";
import { type Line, Plot } from "./plot.tsx";
import { useSpeech } from "./speech.ts";

/** See the module. */
export const Plots = memo(function Plots({ samples }: { readonly samples: readonly Sample[] }) {
  const speech = useSpeech();
  const times = samples.map(({ at }) => at);
  const line = (key: TextKey, name: keyof Sample, { color }: { readonly color: string }): Line => ({
    title: speech.text(key),
    color,
    values: samples.map((sample) => sample[name]),
  });
  const rate = (value: number) => speech.rate(value);
  return (
    <section aria-labelledby="plots">
      <h2 id="plots">{speech.text("plots.title")}</h2>
      <div class="plots">
        <Plot
          title={speech.text("plots.sessions")}
          times={times}
          lines={[
            line("plots.running", "activeSessions", { color: "one" }),
            line("plots.endedRate", "endedRate", { color: "two" }),
            line("plots.refusedRate", "refusedRate", { color: "three" }),
          ]}
          format={rate}
        />
        <Plot
          title={speech.text("plots.tokens")}
          times={times}
          lines={[
            line("plots.input", "inputRate", { color: "one" }),
            line("plots.cached", "cachedRate", { color: "three" }),
            line("plots.output", "outputRate", { color: "two" }),
          ]}
          format={rate}
        />
        <Plot
          title={speech.text("plots.latency")}
          note={speech.text("plots.latencyNote")}
          times={times}
          lines={[
            line("plots.p50", "p50", { color: "one" }),
            line("plots.p95", "p95", { color: "two" }),
          ]}
          format={(value) => speech.milliseconds(value)}
        />
      </div>
    </section>
  );
});
