/** Golden cases of `admin`, `metrics`, `control_plane`, `logging` and `console`. @module */

import { count, filePath, flag, type GoldenCase, positive, urlPath } from "./case.ts";

const credentialOrNone = (field: string): GoldenCase => ({
  field,
  valid: ["t-1", "t-1"],
  invalid: [
    "t 1",
    'must be a credential of visible ASCII characters without spaces, or "" for none; ' +
    "found a string with a space or line break",
  ],
});

export const operationCases: readonly GoldenCase[] = [
  {
    field: "admin.bind_address",
    valid: ["127.0.0.1:9090", [{ hostname: "127.0.0.1", port: 9090, text: "127.0.0.1:9090" }]],
    invalid: [
      9090,
      'must be an address such as "0.0.0.0:8080" or "[::1]:8080", or a list of them, or "" for ' +
      "none; found a number",
    ],
  },
  {
    field: "admin.auth.method",
    beside: { token: "t" },
    valid: ["bearer_token", "bearer_token"],
    invalid: [
      "bearer-tokn",
      "must be one of none, bearer_token, basic, api_key; " +
      "found a different string, did you mean bearer_token?",
    ],
  },
  credentialOrNone("admin.auth.token"),
  {
    field: "admin.auth.username",
    valid: ["ops", "ops"],
    invalid: ["o:ps", 'must be a user name without ":", or "" for none; found a string with ":"'],
  },
  {
    field: "admin.auth.password",
    valid: ["pass wörd", "pass wörd"],
    invalid: [
      12345,
      'must be a password of one line, or "" for none; found a number: put it in quotes',
    ],
  },
  credentialOrNone("admin.auth.api_key"),
  flag("metrics.enabled", false),
  urlPath("metrics.endpoint"),
  credentialOrNone("metrics.auth_token"),
  { ...flag("control_plane.enabled", true), beside: { url: "https://hub.example", token: "t" } },
  {
    field: "control_plane.url",
    valid: ["https://hub.example", "https://hub.example"],
    invalid: [
      "wss://hub.example",
      'must be a URL with http, https, such as "https://hub.example.com"; ' +
      "found a URL with another scheme",
    ],
  },
  {
    field: "control_plane.token",
    valid: ["t-1", "t-1"],
    invalid: [
      ["t"],
      "must be a credential of visible ASCII characters without spaces; found a list",
    ],
  },
  {
    field: "control_plane.router_id",
    valid: ["r-2", "r-2"],
    invalid: [
      "",
      'must be a name of letters, digits, ".", "_", ":", "@" and "-", at most 128; ' +
      "found an empty string",
    ],
  },
  positive("control_plane.flush_interval"),
  count("control_plane.batch_size", 10_000),
  filePath("control_plane.spool_path"),
  count("control_plane.spool_max_records", 1_000_000_000),
  positive("control_plane.credentials_refresh"),
  {
    field: "logging.level",
    valid: ["trace", "trace"],
    invalid: [
      "warning",
      "must be one of trace, debug, info, warn, error, fatal; found a different string",
    ],
  },
  {
    field: "logging.format",
    valid: ["pretty", "pretty"],
    invalid: [null, "must be one of json, pretty; found nothing (null)"],
  },
  flag("console.enabled", true),
];
