/**
 * Talking to a model through the router.
 *
 * @module
 */

import { useEffect, useState } from "preact/hooks";
import { askTalkAccess, type TalkAccess } from "../talk/talk_access.ts";
import type { TalkClient } from "../talk/talk_client.ts";
import { useSpeech } from "./speech.ts";
import { TalkControls } from "./talk_controls.tsx";
import { TalkEndNote } from "./talk_end.tsx";
import { Timeline } from "./timeline.tsx";
import { Turns } from "./turns.tsx";
import { useStore } from "./use_store.ts";

/** See the module. */
export function Talk({ client }: { readonly client: TalkClient }) {
  const speech = useSpeech();
  const state = useStore(client.store);
  const [access, setAccess] = useState<TalkAccess>({ kind: "unknown" });
  useEffect(() => {
    let here = true;
    void askTalkAccess((input, init) => fetch(input, init)).then((found) =>
      here && setAccess(found)
    );
    return () => {
      here = false;
    };
  }, []);
  if (access.kind === "unknown") return <p class="note">{speech.text("talk.asking")}</p>;
  if (access.kind !== "open") {
    return (
      <div class="card" role="note">
        <h2>{speech.text("talk.notHere")}</h2>
        <p>
          {access.kind === "failed"
            ? speech.text("talk.failed", { reason: access.message })
            : speech.text(`talk.${access.kind}`)}
        </p>
      </div>
    );
  }
  if (access.models.length === 0) {
    return (
      <div class="card" role="note">
        <h2>{speech.text("talk.notHere")}</h2>
        <p>{speech.text("talk.noModel")}</p>
      </div>
    );
  }
  return (
    <>
      <TalkControls client={client} state={state} models={access.models} />
      {state.end !== null && <TalkEndNote end={state.end} refusal={state.refusal} />}
      {state.fault !== null && (
        <p role="alert" class="fault">
          {speech.text("talk.fault", state.fault)}
        </p>
      )}
      <Turns turns={state.turns} />
      <Timeline rows={state.rows} beganMs={state.beganMs} />
    </>
  );
}
