/**
 * The figures of this moment.
 *
 * @module
 */

import type { Statistics } from "../data/admin_types.ts";
import { sum } from "../data/series.ts";
import { useSpeech } from "./speech.ts";

interface Figure {
  readonly title: string;
  readonly value: string;
  readonly note?: string;
}

/** See the module. */
export function Figures({ statistics }: { readonly statistics: Statistics | null }) {
  const speech = useSpeech();
  const figures = statistics === null ? [] : figuresOf(statistics);
  return (
    <section aria-labelledby="figures">
      <h2 id="figures" class="hidden">{speech.text("figures.title")}</h2>
      <dl class="figures">
        {figures.map(({ title, value, note }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <strong>{value}</strong>
              {note !== undefined && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );

  function figuresOf({ realtime, tokens, latency_ms, ...totals }: Statistics): readonly Figure[] {
    const count = (value: number) => speech.count(value);
    return [
      { title: speech.text("figures.active"), value: count(realtime.active_sessions) },
      { title: speech.text("figures.ended"), value: count(sum(realtime.sessions_total)) },
      {
        title: speech.text("figures.refused"),
        value: count(sum(realtime.handshake_rejections_total)),
      },
      {
        title: speech.text("figures.requests"),
        value: count(totals.total_requests),
        note: speech.text("figures.errors", { count: count(totals.total_errors) }),
      },
      {
        title: speech.text("figures.tokensIn"),
        value: count(tokens.input),
        note: speech.text("figures.cached", { count: count(tokens.cached_input) }),
      },
      { title: speech.text("figures.tokensOut"), value: count(tokens.output) },
      {
        title: speech.text("figures.latency"),
        // All are 0 before the first record with a latency.
        value: latency_ms.p99 === 0 ? "–" : speech.milliseconds(latency_ms.p50),
        note: speech.text("figures.p95", {
          time: latency_ms.p99 === 0 ? "–" : speech.milliseconds(latency_ms.p95),
        }),
      },
    ];
  }
}
