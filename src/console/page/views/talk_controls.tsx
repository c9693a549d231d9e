/**
 * What one can do in a talk.
 *
 * @module
 */

import { useId, useState } from "preact/hooks";
import { hasMicrophone } from "../audio/microphone.ts";
import type { TurnEnds } from "../talk/client_event.ts";
import type { TalkClient } from "../talk/talk_client.ts";
import type { TalkState } from "../talk/talk_state.ts";
import { useSpeech } from "./speech.ts";

/** What the controls act on. */
export interface TalkControlsProps {
  readonly client: TalkClient;
  readonly state: TalkState;
  readonly models: readonly string[];
}

/** See the module. */
export function TalkControls({ client, state, models }: TalkControlsProps) {
  const speech = useSpeech();
  const id = useId();
  const [chosen, setModel] = useState(models[0] ?? "");
  const [turnEnds, setTurnEnds] = useState<TurnEnds>("by-hand");
  const [text, setText] = useState("");
  const model = models.includes(chosen) ? chosen : models[0] ?? "";
  const { phase, microphone } = state;
  const isOver = phase === "idle" || phase === "closed";
  const isOpen = phase === "open";
  const send = (event: Event) => {
    event.preventDefault();
    if (text.trim() === "") return;
    client.sendText(text.trim());
    setText("");
  };
  return (
    <section aria-labelledby={`${id}-title`} class="talk">
      <h2 id={`${id}-title`} class="hidden">{speech.text("nav.talk")}</h2>
      <div class="row">
        <p>
          <label for={`${id}-model`}>{speech.text("talk.model")}</label>
          <select
            id={`${id}-model`}
            value={model}
            disabled={!isOver}
            onChange={(event) => setModel(event.currentTarget.value)}
          >
            {models.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </p>
        <p>
          <label for={`${id}-turns`}>{speech.text("talk.turnEnds")}</label>
          <select
            id={`${id}-turns`}
            value={turnEnds}
            disabled={!isOver}
            onChange={(event) => setTurnEnds(event.currentTarget.value as TurnEnds)}
          >
            <option value="by-hand">{speech.text("talk.byHand")}</option>
            <option value="detected">{speech.text("talk.detected")}</option>
          </select>
        </p>
        {isOver
          ? (
            <button
              type="button"
              class="primary"
              onClick={() => client.connect(model, { turnEnds })}
            >
              {speech.text("talk.connect")}
            </button>
          )
          : (
            <button
              type="button"
              disabled={phase === "closing"}
              onClick={() => client.disconnect()}
            >
              {speech.text("talk.disconnect")}
            </button>
          )}
        <p class="phase" role="status">{speech.text(`talk.phase.${phase}`)}</p>
      </div>
      <div class="row">
        <button
          type="button"
          aria-pressed={microphone === "on"}
          disabled={!isOpen || microphone === "opening" || !hasMicrophone()}
          onClick={() => microphone === "on" ? client.stopSpeaking() : void client.startSpeaking()}
        >
          {speech.text(microphone === "on" ? "talk.stopSpeaking" : "talk.startSpeaking")}
        </button>
        <button type="button" disabled={!isOpen} onClick={() => client.sendTone()}>
          {speech.text("talk.tone")}
        </button>
        <button type="button" disabled={!isOpen} onClick={() => client.interrupt()}>
          {speech.text("talk.interrupt")}
        </button>
      </div>
      <form class="row" onSubmit={send}>
        <label class="hidden" for={`${id}-text`}>{speech.text("talk.text")}</label>
        <input
          id={`${id}-text`}
          class="wide"
          autocomplete="off"
          maxLength={2_000}
          placeholder={speech.text("talk.text")}
          disabled={!isOpen}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" disabled={!isOpen || text.trim() === ""}>
          {speech.text("talk.send")}
        </button>
      </form>
      {!hasMicrophone() && <p class="note">{speech.text("talk.insecure")}</p>}
      {state.microphoneFault !== "" && (
        <p role="alert" class="fault">
          {speech.text("talk.microphoneFault", { reason: state.microphoneFault })}
        </p>
      )}
    </section>
  );
}
