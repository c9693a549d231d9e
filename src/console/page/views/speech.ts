/**
 * The language of the page, for every view.
 *
 * @module
 */

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { Speech } from "../i18n/language.ts";

/** See the module. */
export const SpeechContext = createContext(new Speech("en"));

/** What a view writes its texts with. */
export function useSpeech(): Speech {
  return useContext(SpeechContext);
}
