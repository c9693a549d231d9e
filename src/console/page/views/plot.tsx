/**
 * A plot of figures over time.
 *
 * @module
 */

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useSpeech } from "./speech.ts";

/** A line of a plot. */
export interface Line {
  readonly title: string;
  /** The custom property of its colour. */
  readonly color: string;
  readonly values: readonly (number | null)[];
}

/** What a plot shows. */
export interface PlotProps {
  readonly title: string;
  readonly note?: string;
  /** Unix seconds, one for each value of every line. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  /** Writes a value, for the axis and the legend. */
  readonly format: (value: number) => string;
}

const HEIGHT = 150;
const DARK = "(prefers-color-scheme: dark)";

/** See the module. The legend has the newest values as text, for those who do not see the plot. */
export function Plot({ title, note, times, lines, format }: PlotProps) {
  const speech = useSpeech();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data = [times, ...lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
  const newest = useRef({ data, format });
  newest.current = { data, format };
  const look = lines.map(({ title, color }) => `${title}:${color}`).join();
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const colors = matchMedia(DARK);
    const draw = () => {
      plot.current?.destroy();
      const format = (value: number) => newest.current.format(value);
      const options = optionsOf(place, lines, { format, language: speech.language });
      plot.current = new uPlot(options, newest.current.data, place);
    };
    draw();
    colors.addEventListener("change", draw);
    const sizes = new ResizeObserver(() =>
      plot.current?.setSize({ width: place.clientWidth, height: HEIGHT })
    );
    sizes.observe(place);
    return () => {
      colors.removeEventListener("change", draw);
      sizes.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [look, speech]);
  useEffect(() => plot.current?.setData(data), [times]);
  return (
    <figure class="plot">
      <figcaption>
        <h3>{title}</h3>
        <ul class="legend">
          {lines.map(({ title, color, values }) => {
            const value = values.at(-1) ?? null;
            return (
              <li key={title}>
                <span class={`swatch ${color}`} aria-hidden="true" />
                {title} <strong>{value === null ? "–" : format(value)}</strong>
              </li>
            );
          })}
        </ul>
        {times.length === 0 && <p class="note">{speech.text("plots.waiting")}</p>}
        {note !== undefined && <p class="note">{note}</p>}
      </figcaption>
      <div ref={box} aria-hidden="true" />
    </figure>
  );
}

function optionsOf(
  place: HTMLElement,
  lines: readonly Line[],
  { format, language }: {
    readonly format: (value: number) => string;
    readonly language: string;
  },
): uPlot.Options {
  const style = getComputedStyle(place);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: color("muted"),
    grid: { stroke: color("line"), width: 1 },
    ticks: { stroke: color("line"), width: 1 },
    font: `11px ${style.fontFamily}`,
  };
  const clock = new Intl.DateTimeFormat(language, { timeStyle: "medium", hourCycle: "h23" });
  return {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, (most ?? 0) * 1.1)] } },
    axes: [
      {
        ...axis,
        size: 32,
        space: 90,
        values: (_plot, splits) => splits.map((at) => clock.format(at * 1000)),
      },
      { ...axis, size: 62, values: (_plot, splits) => splits.map(format) },
    ],
    series: [
      {},
      ...lines.map(({ title, color: name }) => ({
        label: title,
        stroke: color(name),
        width: 1.5,
        points: { show: false },
      })),
    ],
  };
}
