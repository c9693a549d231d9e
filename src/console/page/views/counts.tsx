/**
 * Counts by name, the greatest first: outcomes and refusals.
 *
 * @module
 */

import { useSpeech } from "./speech.ts";
import { Table } from "./table.tsx";

/** What is counted. */
export interface CountsProps {
  /** Names the section within the page. */
  readonly id: string;
  readonly title: string;
  /** Heading of the names. */
  readonly name: string;
  /** Heading of the counts. */
  readonly count: string;
  readonly none: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** See the module. What never occurred is left out. */
export function Counts({ id, title, name, count, none, counts }: CountsProps) {
  const speech = useSpeech();
  const rows = Object.entries(counts).filter(([, times]) => times > 0).sort(([, a], [, b]) =>
    b - a
  );
  const most = rows[0]?.[1] ?? 1;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <Table
        title={title}
        columns={[{ title: name }, { title: count, numeric: true }]}
        none={none}
        empty={rows.length === 0}
      >
        {rows.map(([label, times]) => (
          <tr key={label}>
            <th scope="row">
              <code>{label}</code>
              <meter min={0} max={most} value={times} aria-hidden="true" />
            </th>
            <td class="number">{speech.count(times)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
