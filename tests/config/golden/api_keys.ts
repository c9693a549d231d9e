/** Golden cases of `api_keys`. @module */

import { count, filePath, flag, type GoldenCase, words } from "./case.ts";

const DIGEST = "0123456789abcdef".repeat(4);
const entry = { id: "k", key: "secret" };

export const apiKeyCases: readonly GoldenCase[] = [
  {
    field: "api_keys.mode",
    valid: ["blocking", "blocking"],
    invalid: [
      "bloking",
      "must be one of permissive, blocking; found a different string, did you mean blocking?",
    ],
  },
  filePath("api_keys.api_keys_file"),
  {
    field: "api_keys.api_keys[].key",
    beside: { id: "k" },
    valid: ["sk-1", "sk-1"],
    invalid: [
      "two words",
      "must be a credential of visible ASCII characters without spaces; " +
      "found a string with a space or line break",
    ],
  },
  {
    field: "api_keys.api_keys[].key_sha256",
    beside: { id: "k" },
    valid: [DIGEST.toUpperCase(), DIGEST],
    invalid: [
      DIGEST.slice(1),
      "must be a SHA-256 digest of 64 hexadecimal digits; found a different string",
    ],
  },
  {
    field: "api_keys.api_keys[].id",
    beside: { key: "secret" },
    valid: ["key-1", "key-1"],
    invalid: [
      "anonymous",
      'must be an id of letters, digits, ".", "_", ":", "@" and "-", at most 128, other than ' +
      "anonymous; found the reserved word anonymous",
    ],
  },
  { ...words("api_keys.api_keys[].name"), beside: entry },
  { ...words("api_keys.api_keys[].user_id"), beside: entry },
  { ...words("api_keys.api_keys[].organization_id"), beside: entry },
  { ...flag("api_keys.api_keys[].enabled", false), beside: entry },
  {
    field: "api_keys.api_keys[].expires_at",
    beside: entry,
    valid: ["2027-01-01T02:00:00+02:00", Date.UTC(2027, 0, 1)],
    invalid: [
      "2027-01-01T00:00:00",
      'must be a date and time with a zone, such as "2027-01-01T00:00:00Z"; ' +
      "found a different string",
    ],
  },
  { ...count("api_keys.api_keys[].rate_limit", 1_000_000_000), beside: entry },
  {
    field: "api_keys.api_keys[].allowed_models",
    beside: entry,
    valid: [["gpt-realtime"], ["gpt-realtime"]],
    invalid: ["gpt-realtime", "must be a list of model names; found a string"],
  },
  {
    field: "api_keys.api_keys[].allowed_backends",
    beside: entry,
    valid: [["b"], ["b"]],
    invalid: [
      ["b c"],
      'must be a name of letters, digits, ".", "_", ":", "@" and "-", at most 128; ' +
      "found a different string",
    ],
    at: "api_keys.api_keys[0].allowed_backends[0]",
  },
];
