import assert from "node:assert/strict";
import { backendHealthCheck, parseConfig } from "../../src/config/mod.ts";

const CASES: readonly (readonly [string, string, string, unknown])[] = [
  ["the defaults, without an endpoint", "{}", "{}", {
    enabled: true,
    intervalMs: 30_000,
    timeoutMs: 10_000,
  }],
  [
    "the global settings",
    '{ interval: "5s", timeout: "1s", endpoint: "/g" }',
    "{}",
    { enabled: true, endpoint: "/g", intervalMs: 5_000, timeoutMs: 1_000 },
  ],
  [
    "the backend's own over the global ones",
    '{ interval: "5s", timeout: "1s", endpoint: "/g" }',
    '{ interval: "7s", timeout: "2s", endpoint: "/own" }',
    { enabled: true, endpoint: "/own", intervalMs: 7_000, timeoutMs: 2_000 },
  ],
  ["off for the backend", "{}", "{ enabled: false }", {
    enabled: false,
    intervalMs: 30_000,
    timeoutMs: 10_000,
  }],
  ["off for all", "{ enabled: false }", "{ enabled: true }", {
    enabled: false,
    intervalMs: 30_000,
    timeoutMs: 10_000,
  }],
];

for (const [name, global, own, expected] of CASES) {
  Deno.test(`backendHealthCheck: ${name}`, () => {
    const text = `health_checks: ${global}\n` +
      `backends: [{ name: b, url: "http://h", health_check: ${own} }]`;
    const config = parseConfig(text, { get: () => undefined });
    const [backend] = config.backends;
    assert(backend !== undefined);
    assert.deepEqual(backendHealthCheck(config, backend), expected);
  });
}
