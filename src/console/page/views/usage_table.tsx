/**
 * The newest usage records.
 *
 * @module
 */

import { memo } from "preact/compat";
import type { UsageRecord } from "../data/admin_types.ts";
import { useSpeech } from "./speech.ts";
import { Table } from "./table.tsx";

/** See the module. */
export const UsageTable = memo(function UsageTable(
  { records }: { readonly records: readonly UsageRecord[] },
) {
  const speech = useSpeech();
  const title = speech.text("usage.title");
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">{title}</h2>
      <Table
        title={title}
        columns={[
          { title: speech.text("usage.time") },
          { title: speech.text("usage.endpoint") },
          { title: speech.text("sessions.model") },
          { title: speech.text("sessions.backend") },
          { title: speech.text("sessions.key") },
          { title: speech.text("usage.input"), numeric: true },
          { title: speech.text("usage.cached"), numeric: true },
          { title: speech.text("usage.output"), numeric: true },
          { title: speech.text("usage.latency"), numeric: true },
          { title: speech.text("usage.outcome") },
        ]}
        none={speech.text("usage.none")}
        empty={records.length === 0}
      >
        {records.map((record) => <Row key={record.record_id} record={record} />)}
      </Table>
    </section>
  );
});

const Row = memo(function Row({ record }: { readonly record: UsageRecord }) {
  const speech = useSpeech();
  return (
    <tr>
      <th scope="row">
        <time dateTime={record.timestamp}>{speech.timeOfDay(Date.parse(record.timestamp))}</time>
      </th>
      <td>{record.endpoint}</td>
      <td>{record.model}</td>
      <td>{record.backend}</td>
      <td>{record.api_key_id ?? <em>{speech.text("sessions.anonymous")}</em>}</td>
      <td class="number">{speech.count(record.input_tokens)}</td>
      <td class="number">{speech.count(record.cached_input_tokens)}</td>
      <td class="number">{speech.count(record.output_tokens)}</td>
      <td class="number">{speech.milliseconds(record.latency_ms)}</td>
      <td>
        <code>{record.outcome}</code>
      </td>
    </tr>
  );
});
