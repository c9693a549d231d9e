/**
 * What the router is doing.
 *
 * @module
 */

import { useCallback, useState } from "preact/hooks";
import type { Backend } from "../data/admin_types.ts";
import type { Operator } from "../data/operator.ts";
import type { LiveSession } from "../data/console_state.ts";
import { BackendsTable } from "./backends_table.tsx";
import { Confirm, type Question } from "./confirm.tsx";
import { Counts } from "./counts.tsx";
import { EndedTable } from "./ended_table.tsx";
import { Figures } from "./figures.tsx";
import { Plots } from "./plots.tsx";
import { SessionsTable } from "./sessions_table.tsx";
import { SignIn } from "./sign_in.tsx";
import { shortId } from "./short_id.ts";
import { useSpeech } from "./speech.ts";
import { UsageTable } from "./usage_table.tsx";
import { useNow } from "./use_now.ts";
import { useStore } from "./use_store.ts";

/** See the module. */
export function Overview({ operator }: { readonly operator: Operator }) {
  const speech = useSpeech();
  const state = useStore(operator.store);
  const nowMs = useNow();
  const [question, setQuestion] = useState<Question | null>(null);
  const [said, setSaid] = useState("");
  const { link, statistics } = state;
  const askToEnd = useCallback((session: LiveSession) => {
    const { model } = session;
    const id = shortId(session.id);
    setQuestion({
      title: speech.text("sessions.endTitle"),
      text: speech.text("sessions.endText", { id, model }),
      confirm: speech.text("sessions.endConfirm"),
      act: async () => {
        await operator.endSession(session.id);
        setSaid(speech.text("sessions.endDone", { id }));
      },
    });
  }, [operator, speech]);
  const askToReset = ({ name }: Backend) =>
    setQuestion({
      title: speech.text("backends.resetTitle", { name }),
      text: speech.text("backends.resetText"),
      confirm: speech.text("backends.reset"),
      act: () => operator.resetCircuit(name),
    });
  if (link.kind === "locked") {
    return (
      <SignIn
        scheme={link.scheme}
        rejected={link.rejected}
        onCredential={(credential) => operator.signIn(credential)}
      />
    );
  }
  if (link.kind === "forbidden") {
    return (
      <div class="card">
        <h2>{speech.text("forbidden.title")}</h2>
        <p>
          {link.code === "admin_not_allowed"
            ? speech.text("forbidden.admin_not_allowed")
            : link.message}
        </p>
        <button type="button" onClick={() => operator.start()}>
          {speech.text("forbidden.again")}
        </button>
      </div>
    );
  }
  return (
    <>
      <p class="hidden" role="status">{said}</p>
      {link.kind === "waiting" && link.reason !== "" && <p class="note">{link.reason}</p>}
      {state.dropped > 0 && (
        <p class="note">
          {speech.text("usage.dropped", { count: speech.count(state.dropped) })}
        </p>
      )}
      <Figures statistics={statistics} />
      <BackendsTable backends={state.backends} onReset={askToReset} />
      <SessionsTable sessions={state.sessions} nowMs={nowMs} onEnd={askToEnd} />
      <Plots samples={state.samples} />
      <div class="columns">
        <Counts
          id="outcomes"
          title={speech.text("outcomes.title")}
          name={speech.text("outcomes.outcome")}
          count={speech.text("outcomes.count")}
          none={speech.text("outcomes.none")}
          counts={statistics?.realtime.sessions_total ?? {}}
        />
        <Counts
          id="responses"
          title={speech.text("responses.title")}
          name={speech.text("outcomes.outcome")}
          count={speech.text("responses.count")}
          none={speech.text("responses.none")}
          counts={statistics?.by_outcome ?? {}}
        />
        <Counts
          id="refusals"
          title={speech.text("refusals.title")}
          name={speech.text("refusals.code")}
          count={speech.text("refusals.count")}
          none={speech.text("refusals.none")}
          counts={statistics?.realtime.handshake_rejections_total ?? {}}
        />
      </div>
      <EndedTable ended={state.ended} />
      <UsageTable records={state.records} />
      {question !== null && <Confirm question={question} onClose={() => setQuestion(null)} />}
    </>
  );
}
