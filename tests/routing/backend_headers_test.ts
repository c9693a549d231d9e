import assert from "node:assert/strict";
import { type BackendConfig, backendHeaders } from "../../src/routing/mod.ts";
import { backendConfig } from "./fixtures.ts";

const userAgent = "realtime-router/test";

Deno.test.each(
  [
    ["nothing configured", {}, undefined, {}],
    ["a bearer token", { apiKey: "k" }, undefined, { "authorization": "Bearer k" }],
    ["an api-key", { apiKey: "k", realtimeAuth: "api-key" }, undefined, { "api-key": "k" }],
    ["none", { apiKey: "k", realtimeAuth: "none" }, undefined, {}],
    ["none, delivered", { realtimeAuth: "none" }, "d", {}],
    ["a delivered credential", { apiKey: "k" }, "d", { "authorization": "Bearer d" }],
    ["only a delivered one", { realtimeAuth: "api-key" }, "d", { "api-key": "d" }],
    ["an organization", { orgId: "o" }, undefined, { "openai-organization": "o" }],
    [
      "configured headers, which win",
      { apiKey: "k", headers: { "Authorization": "Custom x", "X-A": "1", "User-Agent": "mine" } },
      undefined,
      { "authorization": "Custom x", "x-a": "1", "user-agent": "mine" },
    ],
  ] as const satisfies readonly (readonly [
    string,
    Partial<BackendConfig>,
    string | undefined,
    Record<string, string>,
  ])[],
)("backendHeaders() with %s", (_name, changes, apiKey, expected) => {
  const headers = backendHeaders(backendConfig("b", changes), { userAgent, apiKey });
  assert.deepEqual(Object.fromEntries(headers), { "user-agent": userAgent, ...expected });
});

Deno.test("backendHeaders() lets a delivered key go before a configured authorization", () => {
  const config = backendConfig("b", { headers: { "Authorization": "Custom configured" } });
  const headers = backendHeaders(config, { userAgent: "test", apiKey: "delivered" });
  assert.equal(headers.get("authorization"), "Bearer delivered");
});
