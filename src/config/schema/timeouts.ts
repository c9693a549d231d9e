/**
 * The section `timeouts` (spec §2, §11): plain HTTP requests only, never realtime sessions.
 *
 * @module
 */

import { duration, ignoredMapping } from "./conversions.ts";
import { section, withDefault } from "./field.ts";

const time = () => duration({ positive: true });

/** The section `timeouts`. */
export const timeouts = section({
  request: section({
    standard: section({
      total: withDefault(time(), "120s", {
        description:
          "From the request to the end of the answer, and as long for reading the request's body.",
        unit: "duration",
      }),
    }, { description: "Requests that are answered in one piece." }),
    streaming: section({
      first_byte: withDefault(time(), "60s", {
        description: "Of each try: from asking a backend to the first byte of its answer's body.",
        unit: "duration",
      }),
      total: withDefault(time(), "600s", {
        description: "From the request to the end of the stream.",
        unit: "duration",
      }),
    }, { description: "Requests that are answered as a stream." }),
  }, { description: "Requests to backends." }),
  limits: withDefault(ignoredMapping(), {}, {
    description: "Accepted for compatibility; without effect.",
  }),
}, { description: "Plain HTTP requests; sessions have their own timers.", reload: "immediate" });
