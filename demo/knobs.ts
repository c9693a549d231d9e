/**
 * How a client steers one response: by its `metadata`, a real field that every SDK passes on. All values are
 * strings, as the API demands; keys that are not listed here are only echoed.
 *
 * | key | effect |
 * |---|---|
 * | `secs` | seconds of speech (or of writing), default 3 |
 * | `fail` | the response fails; the value is the error's code, `1` means `server_error` |
 * | `maxtok` | ends incomplete, `max_output_tokens`, once it has that many output tokens |
 * | `filter` | ends incomplete, `content_filter`, after the first chunk |
 * | `nousage` | `response.done` has no `usage`; with the value `null` it is null |
 * | `nulldetails` | both details of `usage` are null |
 * | `big` | after the first chunk one more delta, its message exactly that many bytes long |
 * | `close` | after the first chunk a Close frame with that code; `1005` sends an empty one |
 * | `fin` | after the first chunk the TCP connection ends without a Close frame |
 * | `die` | after the first chunk the TCP connection is reset |
 * | `freeze` | after the first chunk nothing is read, answered or sent any more |
 * | `nodone` | there is no `response.done` |
 * | `dup` | `response.done` is sent twice |
 *
 * @module
 */

import { z } from "zod";
import { requestErrorOf } from "./request_check.ts";

const MAX_SECONDS = 120;
const MAX_BIG_BYTES = 33_554_432;
const MIN_BIG_BYTES = 1_024;

const flag = z.string().optional().transform((value) => value !== undefined);
const wholeNumber = z.string().regex(/^\d{1,9}$/, "not a whole number").transform(Number);

const closeCode = wholeNumber.refine(
  (code) => code === 1005 || isSendableCloseCode(code),
  "no close code that a server may send",
);

const knobSchema = z.object({
  secs: z.string().regex(/^\d{1,3}(\.\d{1,3})?$/, "not a number of seconds").transform(Number)
    .pipe(z.number().min(0.02).max(MAX_SECONDS)).default(3),
  fail: z.string().regex(/^\w{1,64}$/, "not an error code")
    .transform((code) => code === "1" ? "server_error" : code).optional(),
  maxtok: wholeNumber.pipe(z.number().min(1)).optional(),
  filter: flag,
  nousage: z.string().transform((value) => value === "null" ? "null" : "missing").optional(),
  nulldetails: flag,
  big: wholeNumber.pipe(z.number().min(MIN_BIG_BYTES).max(MAX_BIG_BYTES)).optional(),
  close: closeCode.optional(),
  fin: flag,
  die: flag,
  freeze: flag,
  nodone: flag,
  dup: flag,
});

/** The steering of one response. */
export type Knobs = z.infer<typeof knobSchema>;

/**
 * Reads the knobs in `metadata`.
 *
 * @throws {RequestError} When a knob has a value it cannot have.
 */
export function readKnobs(metadata: Readonly<Record<string, string>> | null): Knobs {
  const pairs = metadata ?? {};
  const checked = knobSchema.safeParse(pairs);
  if (checked.success) return checked.data;
  throw requestErrorOf(checked.error, pairs, { under: "response.metadata" });
}

/** Close codes that may be in a Close frame (RFC 6455 §7.4 and the IANA registry). */
function isSendableCloseCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006) ||
    (code >= 3000 && code <= 4999);
}
