/**
 * The sessions that run, and ending one.
 *
 * @module
 */

import { memo } from "preact/compat";
import { formatSpan } from "../i18n/language.ts";
import type { LiveSession } from "../data/console_state.ts";
import { shortId } from "./short_id.ts";
import { useSpeech } from "./speech.ts";
import { Table } from "./table.tsx";

/** More rows are of no use to a reader, and cost time. */
const MAX_ROWS = 100;

/** What the table shows and does. */
export interface SessionsTableProps {
  readonly sessions: ReadonlyMap<string, LiveSession>;
  /** Unix milliseconds. */
  readonly nowMs: number;
  readonly onEnd: (session: LiveSession) => void;
}

/** See the module. */
export function SessionsTable({ sessions, nowMs, onEnd }: SessionsTableProps) {
  const speech = useSpeech();
  const shown = [...sessions.values()].sort((a, b) => b.startedMs - a.startedMs).slice(0, MAX_ROWS);
  const title = speech.text("sessions.title");
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">
        {title} <span class="amount">{speech.count(sessions.size)}</span>
      </h2>
      <Table
        title={title}
        columns={[
          { title: speech.text("sessions.id") },
          { title: speech.text("sessions.model") },
          { title: speech.text("sessions.backend") },
          { title: speech.text("sessions.key") },
          { title: speech.text("sessions.client") },
          { title: speech.text("sessions.age"), numeric: true },
          { title: speech.text("sessions.state") },
          { title: speech.text("sessions.fromClient"), numeric: true },
          { title: speech.text("sessions.fromBackend"), numeric: true },
          { title: speech.text("sessions.action") },
        ]}
        none={speech.text("sessions.none")}
        empty={shown.length === 0}
      >
        {shown.map((session) => (
          <Row
            key={session.id}
            session={session}
            age={formatSpan((nowMs - session.startedMs) / 1000)}
            onEnd={onEnd}
          />
        ))}
      </Table>
      {sessions.size > shown.length && (
        <p class="note">
          {speech.text("sessions.more", {
            shown: speech.count(shown.length),
            count: speech.count(sessions.size),
          })}
        </p>
      )}
    </section>
  );
}

interface RowProps {
  readonly session: LiveSession;
  readonly age: string;
  readonly onEnd: (session: LiveSession) => void;
}

/** A row that has not changed is not looked at again. */
const Row = memo(function Row({ session, age, onEnd }: RowProps) {
  const speech = useSpeech();
  const id = shortId(session.id);
  const traffic = (messages: number, bytes: number) =>
    speech.text("sessions.traffic", {
      messages: speech.count(messages),
      bytes: speech.bytes(bytes),
    });
  return (
    <tr>
      <th scope="row">
        <code title={session.id}>{id}</code>
      </th>
      <td>{session.model}</td>
      <td>{session.backend}</td>
      <td>{session.api_key_id ?? <em>{speech.text("sessions.anonymous")}</em>}</td>
      <td>{session.client_address}</td>
      <td class="number">{age}</td>
      <td>{session.state}</td>
      <td class="number">{traffic(session.client_messages, session.client_bytes)}</td>
      <td class="number">{traffic(session.backend_messages, session.backend_bytes)}</td>
      <td>
        <button
          type="button"
          class="small"
          disabled={session.state === "closing"}
          aria-label={speech.text("sessions.endLabel", { id })}
          onClick={() => onEnd(session)}
        >
          {speech.text("sessions.end")}
        </button>
      </td>
    </tr>
  );
});
