/** Golden cases of `server`. @module */

import { duration, filePath, flag, type GoldenCase } from "./case.ts";

const tokens = (field: string): GoldenCase => ({
  field,
  valid: [["X-Team"], ["X-Team"]],
  invalid: ["GET", "must be a list of HTTP tokens; found a string"],
});

export const serverCases: readonly GoldenCase[] = [
  {
    field: "server.bind_address",
    valid: [["[::1]:8080", "localhost:0"], [
      { hostname: "::1", port: 8080, text: "[::1]:8080" },
      { hostname: "localhost", port: 0, text: "localhost:0" },
    ]],
    invalid: [
      "0.0.0.0",
      'must be an address such as "0.0.0.0:8080" or "[::1]:8080", or a list of them; ' +
      "found a string without a port",
    ],
  },
  { ...filePath("server.tls.cert"), beside: { key: "k.pem" } },
  { ...filePath("server.tls.key"), beside: { cert: "c.pem" } },
  filePath("server.runtime_dir"),
  duration("server.drain_timeout"),
  flag("server.trust_proxy", true),
  {
    field: "server.allowed_hosts",
    valid: [["a.example", "*.b.example", "c:80", "[::1]", "::1", "10.0.0.1:8080"], [
      "a.example",
      "*.b.example",
      "c:80",
      "[::1]",
      "::1",
      "10.0.0.1:8080",
    ]],
    invalid: [
      ["https://a.example"],
      "must be a host such as example.com, example.com:8080, *.example.com or [::1]; " +
      "found a URL: leave out the scheme",
    ],
    at: "server.allowed_hosts[0]",
  },
  flag("server.cors.enabled", true),
  {
    field: "server.cors.allow_origins",
    valid: [
      ["https://a.example", "http://localhost:*", "localhost:*", "*", "tauri://localhost"],
      ["https://a.example", "http://localhost:*", "localhost:*", "*", "tauri://localhost"],
    ],
    invalid: [
      ["https://a.example/"],
      'must be an origin such as "https://example.com", "http://localhost:*", "localhost:*" or ' +
      '"*"; found a string with a path: an origin has none',
    ],
    at: "server.cors.allow_origins[0]",
  },
  tokens("server.cors.allow_methods"),
  tokens("server.cors.allow_headers"),
  tokens("server.cors.expose_headers"),
  flag("server.cors.allow_credentials", true),
  duration("server.cors.max_age"),
];
