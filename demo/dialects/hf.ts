/**
 * Hugging Face speech-to-speech: a subset of the GA form that reports usage without counting.
 *
 * @module
 */

import { admitAnyModel } from "../admission.ts";
import type { Dialect } from "../dialect.ts";
import type { ResponseObject } from "../events.ts";
import { RequestError } from "../request_error.ts";
import { OPENAI } from "./openai.ts";
import { rewordDone } from "./response_done.ts";

const NOTHING_COUNTED = {
  total_tokens: 0,
  input_tokens: 0,
  output_tokens: 0,
  input_token_details: null,
  output_token_details: null,
};

/** See the module. Full slots are told as the reference does it: an error, and Close 1008. */
export const HF: Dialect = {
  ...OPENAI,
  name: "hf",
  keyPlaces: [],
  admit: admitAnyModel,
  hearing: refuseRetrieve,
  wording: () => (event) => rewordDone(event, uncounted),
};

function uncounted(response: ResponseObject): object {
  const completed = response.status === "completed";
  return {
    ...response,
    status_details: completed
      ? { type: "completed", reason: null, error: null }
      : response.status_details,
    usage: NOTHING_COUNTED,
  };
}

function refuseRetrieve(message: unknown): unknown {
  const type: unknown = typeof message === "object" && message !== null
    ? Reflect.get(message, "type")
    : undefined;
  if (type !== "conversation.item.retrieve") return message;
  throw new RequestError("invalid_value", `Unsupported event type: '${type}'.`, { param: "type" });
}
