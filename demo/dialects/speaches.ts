/**
 * Speaches: the names of the beta, no usage at all, and refusals that say nothing.
 *
 * @module
 */

import { type Admission, admitAnyModel } from "../admission.ts";
import type { Dialect } from "../dialect.ts";
import { BETA } from "./beta.ts";
import { betaWording } from "./beta_wording.ts";

/** See the module. */
export const SPEACHES: Dialect = {
  ...BETA,
  name: "speaches",
  keyPlaces: ["bearer", "x-api-key", "query"],
  refusesSilently: true,
  admit,
  wording: () => (event) => {
    if (event.type !== "response.done") return betaWording(event);
    const { usage: _, ...response } = event.response;
    return betaWording({ ...event, response });
  },
};

/** The framework below turns a missing parameter away before it accepts. */
function admit(asked: readonly string[]): Admission {
  return asked.length === 0 ? { kind: "refusal", status: 403, error: null } : admitAnyModel(asked);
}
