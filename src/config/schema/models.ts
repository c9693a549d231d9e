/**
 * What is known of a model (spec §4): the entries of `backends[].model_configs` and of `model_metadata_file`.
 *
 * @module
 */

import { fields, optional, required, section, withDefault } from "./field.ts";
import { modelName, words } from "./texts.ts";
import { decimal, integer, list, record, text } from "./values.ts";

const capability = text(
  "a capability in lower case, such as audio, text or image",
  (value) => {
    if (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(value)) return undefined;
    return /[A-Z]/.test(value) ? "a string with capital letters" : "";
  },
);

const description = text("a text", (value) => {
  if (value.length > 16_384) return "a string of more than 16384 characters";
  return value === "" ? "" : undefined;
});

const entryName = text(
  "a name of small letters, digits and underscores",
  (value) => /^[a-z][a-z0-9_]{0,63}$/.test(value) ? undefined : "",
);

const metadata = section({
  display_name: optional(words, { description: "Name for people. Absent = the id." }),
  summary: optional(words, { description: "One line about the model. Absent = none." }),
  description: optional(description, { description: "A longer text. Absent = none." }),
  capabilities: optional(list(capability, "a list of capabilities"), {
    description: "What the model can do; realtime needs audio. Absent = what the next source of " +
      "metadata says.",
  }),
  limits: optional(
    record(entryName, integer({ min: 0 }), {
      allowed: "a mapping of names to whole numbers",
    }),
    {
      description: "Limits in tokens by name, such as context_window and max_output_tokens. " +
        "Absent = unknown.",
      unit: "tokens",
    },
  ),
  pricing: optional(
    record(
      entryName,
      decimal("a number of at least 0", (value) => value >= 0),
      { allowed: "a mapping of names to numbers" },
    ),
    { description: "Prices by name, shown and never charged. Absent = unknown." },
  ),
  knowledge_cutoff: optional(words, {
    description: "Until when the model knows the world. Absent = unknown.",
  }),
}, { description: "Facts about the model." });

/** One model, in `backends[].model_configs` and under `models:` of `model_metadata_file`. */
const modelEntry = fields({
  id: required(modelName, { description: "The canonical name of the model." }),
  aliases: withDefault(list(modelName, "a list of model names"), [], {
    description: "Other names for the same model.",
  }),
  metadata,
});

/** A list of models: `model_configs`, and `models` in `model_metadata_file`. */
export const modelList = list(modelEntry, "a list of models");

/** The content of `model_metadata_file`. */
export const modelFile = fields({
  models: required(modelList, { description: "The models." }),
});
