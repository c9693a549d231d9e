/**
 * How a talk ended.
 *
 * @module
 */

import type { TalkEnd, TalkState } from "../talk/talk_state.ts";
import { useSpeech } from "./speech.ts";

/** Close codes that have a text of their own. */
const KNOWN = [1000, 1001, 1006, 1009, 1011] as const;

/** See the module. */
export function TalkEndNote(
  { end, refusal }: Pick<TalkState, "refusal"> & { readonly end: TalkEnd },
) {
  const speech = useSpeech();
  if (!end.wasOpen) {
    return (
      <p role="alert" class="fault">
        {refusal === null ? speech.text("talk.refused") : speech.text("talk.refusal", refusal)}
      </p>
    );
  }
  const known = KNOWN.find((code) => code === end.code);
  return (
    <p role="status" class="end">
      {speech.text("talk.closeCode")} <strong>{end.code}</strong>
      {end.reason !== "" && <>, “{end.reason}”</>}
      {known !== undefined && <small>{speech.text(`talk.close.${known}`)}</small>}
    </p>
  );
}
