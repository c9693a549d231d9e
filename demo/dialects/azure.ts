/**
 * Azure OpenAI in its GA form: the reference, at another path and with the key in another header.
 *
 * @module
 */

import type { Dialect } from "../dialect.ts";
import { OPENAI } from "./openai.ts";

const PATH = "/openai/v1/realtime";

/** See the module. The model is the name of a deployment. */
export const AZURE: Dialect = {
  ...OPENAI,
  name: "azure",
  path: PATH,
  servesPath: (pathname) => pathname === PATH,
  keyPlaces: ["api-key"],
};
