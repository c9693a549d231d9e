/**
 * The backends: health, circuit, and closing a circuit.
 *
 * @module
 */

import type { Backend } from "../data/admin_types.ts";
import { formatSpan } from "../i18n/language.ts";
import { useSpeech } from "./speech.ts";
import { Table } from "./table.tsx";

/** A sign beside the word, for those who do not see colours. */
const SIGNS: Readonly<Record<string, { readonly sign: string; readonly tone: string }>> = {
  ready: { sign: "●", tone: "good" },
  closed: { sign: "●", tone: "good" },
  unknown: { sign: "○", tone: "plain" },
  warming_up: { sign: "◐", tone: "warn" },
  half_open: { sign: "◐", tone: "warn" },
  down: { sign: "▲", tone: "bad" },
  open: { sign: "▲", tone: "bad" },
};

/** What the table shows and does. */
export interface BackendsTableProps {
  readonly backends: readonly Backend[];
  readonly onReset: (backend: Backend) => void;
}

/** See the module. */
export function BackendsTable({ backends, onReset }: BackendsTableProps) {
  const speech = useSpeech();
  const title = speech.text("backends.title");
  return (
    <section aria-labelledby="backends">
      <h2 id="backends">{title}</h2>
      <Table
        title={title}
        columns={[
          { title: speech.text("backends.name") },
          { title: speech.text("backends.health") },
          { title: speech.text("backends.circuit") },
          { title: speech.text("backends.sessions"), numeric: true },
          { title: speech.text("backends.latency"), numeric: true },
          { title: speech.text("backends.models") },
          { title: speech.text("backends.lastError") },
        ]}
        none={speech.text("backends.none")}
        empty={backends.length === 0}
      >
        {backends.map((backend) => (
          <tr key={backend.name}>
            <th scope="row">
              {backend.name} <small>{backend.type}</small>
            </th>
            <td>
              <State name={backend.health} />
              {backend.health_failure !== null && (
                <small class="block">{backend.health_failure}</small>
              )}
            </td>
            <td>
              <State name={backend.circuit} />
              {backend.circuit === "open" && (
                <small class="block">
                  {speech.text("backends.retry", {
                    time: formatSpan(backend.circuit_retry_after_ms / 1000),
                  })}
                </small>
              )}
              {backend.circuit !== "closed" && (
                <button
                  type="button"
                  class="small"
                  onClick={() => onReset(backend)}
                >
                  {speech.text("backends.reset")}
                </button>
              )}
            </td>
            <td class="number">{speech.count(backend.sessions)}</td>
            <td class="number">
              {backend.average_latency_ms === null
                ? "–"
                : speech.milliseconds(backend.average_latency_ms)}
            </td>
            <td class="wrap">{backend.models.join(", ")}</td>
            <td class="wrap">
              {backend.last_error === null ? "–" : (
                <>
                  {backend.last_error.message}{" "}
                  <small>{speech.timeOfDay(Date.parse(backend.last_error.at))}</small>
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function State({ name }: { readonly name: string }) {
  const { sign, tone } = SIGNS[name] ?? { sign: "○", tone: "plain" };
  return (
    <span class={`state ${tone}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}
