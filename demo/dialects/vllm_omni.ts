/**
 * vLLM-Omni: the GA form with totals only, and with an opinion on the model's name.
 *
 * @module
 */

import { type Admission, closingFarewell } from "../admission.ts";
import type { Dialect } from "../dialect.ts";
import { OPENAI } from "./openai.ts";
import { rewordDone, totalsOf } from "./response_done.ts";

const UNSUPPORTED = { code: "unsupported_model", message: "This model is not served here" };

/** See the module. */
export const VLLM_OMNI: Dialect = {
  ...OPENAI,
  name: "vllm-omni",
  admit,
  wording: () => (event) =>
    rewordDone(
      event,
      (response) => response.usage ? { ...response, usage: totalsOf(response.usage) } : response,
    ),
};

function admit(asked: readonly string[], served: readonly string[]): Admission {
  const [model] = asked;
  if (model !== undefined && served.includes(model)) return { kind: "session", model };
  return { kind: "farewell", farewell: closingFarewell(UNSUPPORTED, 1008) };
}
