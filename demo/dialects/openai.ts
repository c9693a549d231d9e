/**
 * The OpenAI Realtime API in its GA form: the reference.
 *
 * @module
 */

import { type Admission, closingFarewell } from "../admission.ts";
import type { Dialect } from "../dialect.ts";
import { SAMPLE_RATE } from "../tone.ts";

const FULL = { code: "session_limit_reached", message: "All session slots are in use" };

/** See the module. */
export const OPENAI: Dialect = {
  name: "openai",
  path: "/v1/realtime",
  servesPath: (pathname) => pathname.endsWith("/realtime"),
  keyPlaces: ["bearer"],
  refusesSilently: false,
  admit: admitServedModel,
  full: closingFarewell(FULL, 1008),
  maxSessions: 256,
  purpose: "conversation",
  audioChunkMs: 200,
  outputRate: SAMPLE_RATE,
  hearing: (message) => message,
  wording: () => (event) => event,
};

/** Exactly one model, and one that there is; anything else is refused before the 101. */
function admitServedModel(asked: readonly string[], served: readonly string[]): Admission {
  const [model, ...others] = asked;
  if (model === undefined || others.length > 0) {
    const message = "Exactly one model parameter is needed.";
    return { kind: "refusal", status: 400, error: { code: "invalid_model", message } };
  }
  if (served.includes(model)) return { kind: "session", model };
  const message = "There is no such model.";
  return { kind: "refusal", status: 404, error: { code: "model_not_found", message } };
}
