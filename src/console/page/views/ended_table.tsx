/**
 * The sessions that ended while the page was open.
 *
 * @module
 */

import { memo } from "preact/compat";
import type { SessionEnd } from "../data/admin_types.ts";
import { shortId } from "./short_id.ts";
import { useSpeech } from "./speech.ts";
import { Table } from "./table.tsx";

/** See the module. */
export const EndedTable = memo(function EndedTable(
  { ended }: { readonly ended: readonly SessionEnd[] },
) {
  const speech = useSpeech();
  const title = speech.text("ended.title");
  return (
    <section aria-labelledby="ended">
      <h2 id="ended">{title}</h2>
      <Table
        title={title}
        columns={[
          { title: speech.text("sessions.id") },
          { title: speech.text("sessions.model") },
          { title: speech.text("sessions.backend") },
          { title: speech.text("sessions.key") },
          { title: speech.text("ended.outcome") },
          { title: speech.text("ended.duration"), numeric: true },
          { title: speech.text("ended.records"), numeric: true },
        ]}
        none={speech.text("ended.none")}
        empty={ended.length === 0}
      >
        {ended.map((session) => <Row key={session.id} session={session} />)}
      </Table>
    </section>
  );
});

const Row = memo(function Row({ session }: { readonly session: SessionEnd }) {
  const speech = useSpeech();
  return (
    <tr>
      <th scope="row">
        <code title={session.id}>{shortId(session.id)}</code>
      </th>
      <td>{session.model}</td>
      <td>{session.backend}</td>
      <td>{session.api_key_id ?? <em>{speech.text("sessions.anonymous")}</em>}</td>
      <td>
        <code>{session.outcome}</code>
      </td>
      <td class="number">{speech.milliseconds(session.duration_seconds * 1000)}</td>
      <td class="number">{speech.count(session.usage_records)}</td>
    </tr>
  );
});
