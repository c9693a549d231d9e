/**
 * Every dialect of the demo backend.
 *
 * @module
 */

import type { Dialect } from "../dialect.ts";
import { AZURE } from "./azure.ts";
import { BETA } from "./beta.ts";
import { HF } from "./hf.ts";
import { LOCALAI } from "./localai.ts";
import { OPENAI } from "./openai.ts";
import { SPEACHES } from "./speaches.ts";
import { VLLM } from "./vllm.ts";
import { VLLM_OMNI } from "./vllm_omni.ts";
import { VOICECHAT } from "./voicechat.ts";

/** By name. */
export const DIALECTS = {
  "openai": OPENAI,
  "azure": AZURE,
  "beta": BETA,
  "hf": HF,
  "localai": LOCALAI,
  "speaches": SPEACHES,
  "vllm": VLLM,
  "vllm-omni": VLLM_OMNI,
  "voicechat": VOICECHAT,
} as const satisfies Readonly<Record<string, Dialect>>;

/** The name of a dialect. */
export type DialectName = keyof typeof DIALECTS;
