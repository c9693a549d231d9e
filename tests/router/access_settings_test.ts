import assert from "node:assert/strict";
import { parseConfig } from "../../src/config/mod.ts";
import { RouterError } from "../../src/http/mod.ts";
import { checkOrigin } from "../../src/origin/mod.ts";
import {
  buildAllowedHosts,
  buildKeyRing,
  buildOriginPolicy,
  buildRateLimiter,
} from "../../src/router/access_settings.ts";

const CONFIG = parseConfig(
  `
server:
  allowed_hosts: [router.test]
  cors: { enabled: true, allow_origins: ["https://page.test"] }
api_keys:
  mode: blocking
  api_keys:
    - key: secret-one
      id: one
      name: First
      user_id: u
      organization_id: o
      rate_limit: 2
      expires_at: "2030-01-01T00:00:00Z"
      allowed_models: [m]
      allowed_backends: [b]
    - { key: secret-two, id: two, enabled: false }
    - { key_sha256: "${"ab".repeat(32)}", id: three }
backends: [{ name: b, url: "http://b.test" }]
`,
  { get: () => undefined },
);

function codeOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    assert.ok(error instanceof RouterError);
    return error.code;
  }
}

Deno.test("buildKeyRing() takes over every field of a key", () => {
  const ring = buildKeyRing(CONFIG);
  assert.equal(ring.mode, "blocking");
  const lastMs = Date.UTC(2030, 0, 1) - 1;
  const identity = ring.authenticate("Bearer secret-one", { nowMs: lastMs });
  assert.deepEqual(identity, {
    kind: "key",
    keyId: "one",
    name: "First",
    userId: "u",
    organizationId: "o",
    allowedModels: new Set(["m"]),
    allowedBackends: new Set(["b"]),
  });
  const at = (key: string, nowMs: number) =>
    codeOf(() => ring.authenticate(`Bearer ${key}`, { nowMs }));
  assert.equal(at("secret-one", lastMs + 1), "expired_api_key");
  assert.equal(at("secret-two", 0), "invalid_api_key");
  assert.equal(at("secret-three", 0), "invalid_api_key");
});

Deno.test("buildRateLimiter() limits the keys that have a limit", () => {
  const limiter = buildRateLimiter(CONFIG);
  const take = (keyId: string) => codeOf(() => limiter.take(keyId, { nowMs: 1 }));
  assert.deepEqual([take("one"), take("one"), take("one")], [null, null, "rate_limit_exceeded"]);
  for (let request = 0; request < 100; request++) assert.equal(take("three"), null);
});

Deno.test("buildOriginPolicy() allows the pages of server.cors, only while it is enabled", () => {
  const request = { originValues: ["https://page.test"], host: "router.test" };
  assert.equal(checkOrigin(request, buildOriginPolicy(CONFIG)), null);
  const cors = { ...CONFIG.server.cors, enabled: false };
  const off = { ...CONFIG, server: { ...CONFIG.server, cors } };
  assert.equal(checkOrigin(request, buildOriginPolicy(off))?.code, "origin_not_allowed");
});

Deno.test("buildAllowedHosts() refuses what is not listed, and nothing when nothing is", () => {
  assert.equal(buildAllowedHosts(CONFIG).check("router.test:8080"), null);
  assert.equal(buildAllowedHosts(CONFIG).check("evil.test")?.code, "host_not_allowed");
  const open = { ...CONFIG, server: { ...CONFIG.server, allowed_hosts: [] } };
  assert.equal(buildAllowedHosts(open).check("evil.test"), null);
});
