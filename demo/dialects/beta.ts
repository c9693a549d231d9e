/**
 * The beta of the OpenAI Realtime API (`OpenAI-Beta: realtime=v1`), which some backends still speak: other
 * event names, and a session without nesting.
 *
 * @module
 */

import type { Dialect } from "../dialect.ts";
import { betaHearing } from "./beta_hearing.ts";
import { betaWording } from "./beta_wording.ts";
import { OPENAI } from "./openai.ts";

/** See the module. */
export const BETA: Dialect = {
  ...OPENAI,
  name: "beta",
  hearing: betaHearing,
  wording: () => betaWording,
};
