/**
 * A question before something is changed.
 *
 * @module
 */

import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useSpeech } from "./speech.ts";

/** What is asked. */
export interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button that does it says. */
  readonly confirm: string;
  /** Does it. The dialog stays open and says why when it rejects. */
  readonly act: () => Promise<void>;
}

/** The dialog of a question. The browser keeps the focus in it and closes it on Escape. */
export function Confirm(
  { question, onClose }: { readonly question: Question; readonly onClose: () => void },
) {
  const speech = useSpeech();
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const text = useId();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  const act = async () => {
    setBusy(true);
    try {
      await question.act();
      dialog.current?.close();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={text}
      onClose={onClose}
    >
      <h2 id={title}>{question.title}</h2>
      <p id={text}>{question.text}</p>
      {failure !== "" && (
        <p role="alert" class="fault">{speech.text("dialog.failed", { reason: failure })}</p>
      )}
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          {speech.text("dialog.cancel")}
        </button>
        <button type="button" class="danger" disabled={busy} onClick={() => void act()}>
          {question.confirm}
        </button>
      </div>
    </dialog>
  );
}
