/**
 * The turns of a talk: what was said, what was answered, and how fast.
 *
 * @module
 */

import { memo } from "preact/compat";
import type { Turn } from "../talk/talk_state.ts";
import { useSpeech } from "./speech.ts";

/** See the module. Newest first. */
export const Turns = memo(function Turns({ turns }: { readonly turns: readonly Turn[] }) {
  const speech = useSpeech();
  return (
    <section aria-labelledby="turns">
      <h2 id="turns">{speech.text("turns.title")}</h2>
      {turns.length === 0 && <p class="none">{speech.text("turns.none")}</p>}
      <ol class="turns">
        {turns.toReversed().map((turn) => <TurnView key={turn.id} turn={turn} />)}
      </ol>
    </section>
  );
});

const TurnView = memo(function TurnView({ turn }: { readonly turn: Turn }) {
  const speech = useSpeech();
  const time = (ms: number | null) => ms === null ? "–" : speech.milliseconds(ms);
  const figures = [
    { title: speech.text("turns.firstAudio"), value: time(turn.firstAudioMs) },
    { title: speech.text("turns.length"), value: time(turn.lengthMs) },
    { title: speech.text("turns.audio"), value: `${speech.rate(turn.audioMs / 1000)} s` },
    {
      title: speech.text("turns.tokens"),
      value: turn.usage === null
        ? "–"
        : `${speech.count(turn.usage.input)} / ${speech.count(turn.usage.output)}`,
    },
    { title: speech.text("turns.status"), value: turn.status ?? speech.text("turns.running") },
  ];
  return (
    <li>
      <p class="said">
        <span class="who">{speech.text("turns.you")}</span>{" "}
        {turn.said === "" ? <em>{speech.text(`turns.source.${turn.source}`)}</em> : turn.said}
      </p>
      <p class="answer">
        <span class="who">{speech.text("turns.model")}</span>{" "}
        {turn.answer === "" ? "…" : turn.answer}
      </p>
      <dl>
        {figures.map(({ title, value }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
});
