/**
 * LocalAI without streamed speech: a whole answer in one delta, and connections that end without a Close
 * frame.
 *
 * @module
 */

import type { Admission } from "../admission.ts";
import type { Dialect } from "../dialect.ts";
import { plainError } from "../error_detail.ts";
import type { ResponseObject } from "../events.ts";
import { OPENAI } from "./openai.ts";
import { rewordDone, totalsOf } from "./response_done.ts";

const UNKNOWN_MODEL = "The model is not a configured pipeline";

/** See the module. */
export const LOCALAI: Dialect = {
  ...OPENAI,
  name: "localai",
  admit,
  audioChunkMs: Infinity,
  wording: () => (event) => rewordDone(event, totalsUnlessZero),
};

/** A usage of zero is left out, as its serializer does with empty fields. */
function totalsUnlessZero({ usage, ...response }: ResponseObject): object {
  return usage && usage.total_tokens > 0 ? { ...response, usage: totalsOf(usage) } : response;
}

function admit(asked: readonly string[], served: readonly string[]): Admission {
  const [model] = asked;
  if (model !== undefined && served.includes(model)) return { kind: "session", model };
  const error = plainError("invalid_model", UNKNOWN_MODEL);
  return { kind: "farewell", farewell: { error, exit: { kind: "fin" } } };
}
