/**
 * The events of a talk, with their sizes and times.
 *
 * @module
 */

import { memo } from "preact/compat";
import type { TimelineRow } from "../talk/talk_state.ts";
import { useSpeech } from "./speech.ts";
import { Table } from "./table.tsx";

/** What the timeline shows. */
export interface TimelineProps {
  readonly rows: readonly TimelineRow[];
  /** When the connection was begun. */
  readonly beganMs: number;
}

/** See the module. Newest first. */
export const Timeline = memo(function Timeline({ rows, beganMs }: TimelineProps) {
  const speech = useSpeech();
  const title = speech.text("timeline.title");
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{title}</h2>
      <Table
        title={title}
        columns={[
          { title: speech.text("timeline.at"), numeric: true },
          { title: speech.text("timeline.direction") },
          { title: speech.text("timeline.event") },
          { title: speech.text("timeline.count"), numeric: true },
          { title: speech.text("timeline.bytes"), numeric: true },
          { title: speech.text("timeline.span"), numeric: true },
        ]}
        none={speech.text("timeline.none")}
        empty={rows.length === 0}
      >
        {rows.toReversed().map((row) => <Row key={row.id} row={row} beganMs={beganMs} />)}
      </Table>
    </section>
  );
});

const Row = memo(function Row(
  { row, beganMs }: { readonly row: TimelineRow; readonly beganMs: number },
) {
  const speech = useSpeech();
  const sent = row.direction === "sent";
  return (
    <tr>
      <td class="number">+{speech.count(row.firstMs - beganMs)} ms</td>
      <td>
        <span aria-hidden="true" class={`arrow ${row.direction}`}>{sent ? "→" : "←"}</span>{" "}
        {speech.text(sent ? "timeline.sent" : "timeline.received")}
      </td>
      <th scope="row">
        <code>{row.type}</code>
      </th>
      <td class="number">{row.count}</td>
      <td class="number">{speech.bytes(row.bytes)}</td>
      <td class="number">
        {row.count === 1 ? "" : speech.milliseconds(row.lastMs - row.firstMs)}
      </td>
    </tr>
  );
});
