/**
 * The section `api_keys` (spec §2, §10.1).
 *
 * @module
 */

import { instant } from "./conversions.ts";
import { fields, optional, required, section, withDefault } from "./field.ts";
import { credential, filePath, modelName, name, words } from "./texts.ts";
import { flag, integer, list, oneOf, text } from "./values.ts";

/** The metric label of callers without a key, so no key may have this id (spec §9). */
const ANONYMOUS = "anonymous";

const keyId = text(
  'an id of letters, digits, ".", "_", ":", "@" and "-", at most 128, other than anonymous',
  (value) => {
    if (value === ANONYMOUS) return "the reserved word anonymous";
    return /^[A-Za-z0-9._:@-]{1,128}$/.test(value) ? undefined : "";
  },
);

const digest = text(
  "a SHA-256 digest of 64 hexadecimal digits",
  (value) => /^[0-9A-Fa-f]{64}$/.test(value) ? undefined : "",
).overwrite((value) => value.toLowerCase());

/** One key, in `api_keys.api_keys` and in `api_keys_file`. */
const apiKeyEntry = fields({
  key: optional(credential, {
    description: "The key itself. Absent = key_sha256 is given; exactly one of the two must be.",
    secret: true,
  }),
  key_sha256: optional(digest, {
    description:
      "SHA-256 of the key in hexadecimal, so that no secret is in the file. Absent = key is given.",
    secret: true,
  }),
  id: required(keyId, {
    description: "Unique name of the key in logs, metrics and usage records.",
  }),
  name: optional(words, { description: "Name for people. Absent = none." }),
  user_id: optional(words, { description: "User for usage records. Absent = none." }),
  organization_id: optional(words, {
    description: "Organization for usage records. Absent = none.",
  }),
  enabled: withDefault(flag(), true, { description: "A disabled key counts as unknown." }),
  expires_at: optional(instant(), {
    description: "From this instant on the key is refused. Absent = never expires.",
    unit: "date and time with a zone",
  }),
  rate_limit: optional(integer({ min: 1, max: 1_000_000_000 }), {
    description: "Requests per minute; an upgrade counts as one. Absent = no limit.",
    unit: "requests per minute",
  }),
  allowed_models: withDefault(list(modelName, "a list of model names"), [], {
    description: "Names that the key may ask for, compared as the client writes them. Empty = all.",
  }),
  allowed_backends: withDefault(list(name, "a list of backend names"), [], {
    description: "Backends that the key may use. Empty = all.",
  }),
});

const apiKeyList = list(apiKeyEntry, "a list of keys");

/** The content of `api_keys_file`; a bare list is read as if it stood under `api_keys`. */
export const apiKeyFile = fields({
  api_keys: required(apiKeyList, { description: "The keys." }),
});

/** The section `api_keys`. */
export const apiKeys = section({
  mode: withDefault(oneOf(["permissive", "blocking"]), "permissive", {
    description: "permissive: callers without a valid key are anonymous; blocking: they get 401.",
  }),
  api_keys_file: optional(filePath, {
    description: "YAML file with more entries, either a list or the key api_keys with a list, " +
      "relative to this file's folder. Absent = none.",
  }),
  api_keys: withDefault(apiKeyList, [], { description: "The keys." }),
}, { description: "Who may call.", reload: "immediate" });
