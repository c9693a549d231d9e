/** Golden cases of `backends`, `model_metadata_file` and `selection_strategy`. @module */

import { count, filePath, flag, type GoldenCase, positive, urlPath, words } from "./case.ts";

const METADATA = "backends[].model_configs[].metadata";
const HEADER_VALUE = "must be a header value of printable ASCII characters; ";

export const backendCases: readonly GoldenCase[] = [
  filePath("model_metadata_file"),
  {
    field: "selection_strategy",
    valid: ["LeastSessions", "LeastSessions"],
    invalid: [
      "fastest",
      "must be one of RoundRobin, WeightedRoundRobin, LeastLatency, LeastSessions, " +
      "ConsistentHash, Random; found a different string",
    ],
  },
  {
    field: "backends[].name",
    beside: { url: "http://h" },
    valid: ["gpu.1", "gpu.1"],
    invalid: [
      undefined,
      'is required: write a name of letters, digits, ".", "_", ":", "@" and "-", at most 128',
    ],
  },
  {
    field: "backends[].url",
    beside: { name: "b" },
    valid: ["wss://[fd00::1]:8443/openai/v1", "wss://[fd00::1]:8443/openai/v1"],
    invalid: [
      "http://user:secret@h",
      'must be a URL with http, https, ws, wss, such as "http://10.0.0.5:8000"; ' +
      "found a URL with a user name or password",
    ],
  },
  {
    field: "backends[].type",
    valid: ["localai", "localai"],
    invalid: [
      "vlm",
      "must be one of openai, vllm, ollama, localai, generic; " +
      "found a different string, did you mean vllm?",
    ],
  },
  {
    field: "backends[].api_key",
    valid: ["sk-1", "sk-1"],
    invalid: [
      "",
      "must be a credential of visible ASCII characters without spaces; found an empty string",
    ],
  },
  {
    field: "backends[].org_id",
    valid: ["org-1", "org-1"],
    invalid: ["org\n1", `${HEADER_VALUE}found a string with a line break`],
  },
  {
    field: "backends[].headers",
    valid: [{ "X-Team": "speech" }, { "X-Team": "speech" }],
    invalid: [
      { Host: "h" },
      "each name must be a header name that is not reserved for the connection or the handshake; " +
      "found a reserved name",
    ],
  },
  count("backends[].weight", 1_000_000),
  {
    field: "backends[].models",
    valid: [["m:7b@q4"], ["m:7b@q4"]],
    invalid: [
      [" m"],
      "must be the name of a model; found a string that begins or ends with a space",
    ],
    at: "backends[0].models[0]",
  },
  {
    field: "backends[].model_configs[].id",
    valid: ["my-voice", "my-voice"],
    invalid: [undefined, "is required: write the name of a model"],
  },
  {
    field: "backends[].model_configs[].aliases",
    beside: { id: "m" },
    valid: [["voice"], ["voice"]],
    invalid: ["voice", "must be a list of model names; found a string"],
  },
  words(`${METADATA}.display_name`),
  words(`${METADATA}.summary`),
  {
    field: `${METADATA}.description`,
    valid: ["two\nlines", "two\nlines"],
    invalid: [["text"], "must be a text; found a list"],
  },
  {
    field: `${METADATA}.capabilities`,
    valid: [["audio", "text"], ["audio", "text"]],
    invalid: [
      ["Audio"],
      "must be a capability in lower case, such as audio, text or image; " +
      "found a string with capital letters",
    ],
    at: "backends[0].model_configs[0].metadata.capabilities[0]",
  },
  {
    field: `${METADATA}.limits`,
    valid: [{ context_window: 8192 }, { context_window: 8192 }],
    invalid: [8192, "must be a mapping of names to whole numbers; found a number"],
  },
  {
    field: `${METADATA}.pricing`,
    valid: [{ input_tokens: 0.5 }, { input_tokens: 0.5 }],
    invalid: [{ input_tokens: -1 }, "must be a number of at least 0; found -1"],
    at: "backends[0].model_configs[0].metadata.pricing.input_tokens",
  },
  words(`${METADATA}.knowledge_cutoff`),
  urlPath("backends[].realtime.path"),
  {
    field: "backends[].realtime.auth",
    valid: ["api-key", "api-key"],
    invalid: [true, "must be one of bearer, api-key, none; found a boolean"],
  },
  flag("backends[].health_check.enabled", false),
  urlPath("backends[].health_check.endpoint"),
  positive("backends[].health_check.interval"),
  positive("backends[].health_check.timeout"),
];
