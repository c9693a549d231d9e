/**
 * vLLM's own realtime endpoint: transcription only, with a protocol of its own (`transcription_session.ts`).
 *
 * @module
 */

import { admitAnyModel } from "../admission.ts";
import type { Dialect } from "../dialect.ts";
import { OPENAI } from "./openai.ts";

/** See the module. The model is named by `session.update`, not by the query. */
export const VLLM: Dialect = {
  ...OPENAI,
  name: "vllm",
  keyPlaces: [],
  admit: admitAnyModel,
  purpose: "transcription",
  wording: () => (event) => {
    if (event.type !== "error") return null;
    return { type: event.type, error: event.error.message, code: event.error.code };
  },
};
