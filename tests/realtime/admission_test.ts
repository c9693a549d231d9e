import assert from "node:assert/strict";
import { RouterError } from "../../src/http/mod.ts";
import { backendConfig, openCircuit, takeDown } from "../support/live_backends.ts";
import { MODELS, NOW_MS, Scenario } from "./gate_fixture.ts";

interface Obstacle {
  readonly row: string;
  readonly code: string;
  /** What it changes: two that change the same thing cannot be had together. */
  readonly of:
    | "method"
    | "drain"
    | "key"
    | "rate"
    | "handshake"
    | "origin"
    | "query"
    | "models"
    | "backends"
    | "health"
    | "permits";
  readonly put: (scenario: Scenario) => void;
}

/** In the order of spec §3. */
const OBSTACLES: readonly Obstacle[] = [
  { row: "2", of: "method", code: "method_not_allowed", put: (s) => s.method = "POST" },
  { row: "3", of: "drain", code: "draining", put: (s) => s.draining = true },
  {
    row: "4 no key",
    of: "key",
    code: "missing_api_key",
    put: (s) => s.headers.delete("authorization"),
  },
  {
    row: "4 another scheme",
    of: "key",
    code: "missing_api_key",
    put: (s) => s.headers.set("authorization", "Basic secret"),
  },
  {
    row: "4 an empty key",
    of: "key",
    code: "missing_api_key",
    put: (s) => s.headers.set("authorization", "Bearer "),
  },
  {
    row: "4 a wrong key",
    of: "key",
    code: "invalid_api_key",
    put: (s) => s.headers.set("authorization", "bearer wrong"),
  },
  { row: "4 a disabled key", of: "key", code: "invalid_api_key", put: (s) => s.enabled = false },
  {
    row: "4 an expired key",
    of: "key",
    code: "expired_api_key",
    put: (s) => s.expiresAtMs = 1_700_000_000_000,
  },
  {
    row: "5",
    of: "rate",
    code: "rate_limit_exceeded",
    put: ({ rateLimiter }) => {
      rateLimiter.take("key-1", { nowMs: NOW_MS });
      rateLimiter.take("key-1", { nowMs: NOW_MS });
    },
  },
  {
    row: "6 no Upgrade",
    of: "handshake",
    code: "upgrade_required",
    put: (s) => s.headers.delete("upgrade"),
  },
  {
    row: "6 a broken key",
    of: "handshake",
    code: "invalid_handshake",
    put: (s) => s.headers.set("sec-websocket-key", "x"),
  },
  {
    row: "6 HTTP/1.0",
    of: "handshake",
    code: "invalid_handshake",
    put: (s) => s.httpVersion = "1.0",
  },
  {
    row: "6 version 8",
    of: "handshake",
    code: "upgrade_required",
    put: (s) => s.headers.set("sec-websocket-version", "8"),
  },
  {
    row: "7 a foreign page",
    of: "origin",
    code: "origin_not_allowed",
    put: (s) => s.headers.set("origin", "https://evil.test"),
  },
  {
    row: "7 two origins",
    of: "origin",
    code: "origin_not_allowed",
    put: (s) => {
      s.headers.append("origin", "https://router.test");
      s.headers.append("origin", "https://router.test");
    },
  },
  { row: "8 no model", of: "query", code: "missing_model", put: (s) => s.rawQuery = "" },
  {
    row: "8 an empty model",
    of: "query",
    code: "missing_model",
    put: (s) => s.rawQuery = "model=",
  },
  {
    row: "8 two models",
    of: "query",
    code: "invalid_model_parameter",
    put: (s) => s.rawQuery = "model=voice&model=deaf",
  },
  {
    row: "8 a model outside the key's list",
    of: "models",
    code: "model_not_allowed",
    put: (s) => s.allowedModels = ["else"],
  },
  {
    row: "9 unknown",
    of: "query",
    code: "model_not_found",
    put: (s) => s.rawQuery = "model=nobody",
  },
  {
    row: "9 without audio",
    of: "query",
    code: "audio_not_supported",
    put: (s) => s.rawQuery = "model=deaf",
  },
  {
    row: "9 without metadata",
    of: "query",
    code: "audio_not_supported",
    put: (s) => s.rawQuery = "model=undescribed",
  },
  {
    row: "10 no backend of the key's",
    of: "backends",
    code: "backend_not_allowed",
    put: (s) => s.allowedBackends = ["other"],
  },
  {
    row: "10 down",
    of: "health",
    code: "no_available_backend",
    put: (s) => takeDown(s.backend, NOW_MS),
  },
  {
    row: "10 circuit open",
    of: "health",
    code: "no_available_backend",
    put: (s) => openCircuit(s.backend, NOW_MS),
  },
  {
    row: "11",
    of: "permits",
    code: "session_limit_reached",
    put: ({ permits }) => {
      permits.take();
      permits.take();
    },
  },
];

Deno.test("admit() lets a request in and takes a permit and a slot", () => {
  const scenario = new Scenario();
  const admission = scenario.admit();
  assert.equal(admission.identity.keyId, "key-1");
  assert.equal(admission.dispatchModel, "voice");
  assert.equal(admission.backend.name, "good");
  assert.equal(scenario.permits.held, 1);
  admission.permit[Symbol.dispose]();
  assert.equal(scenario.permits.held, 0);
});

Deno.test.each(OBSTACLES.map((obstacle) => [obstacle.row, obstacle] as const))(
  "admit() refuses by row %s, and takes nothing",
  (_row, { code, put }) => {
    const scenario = new Scenario();
    put(scenario);
    const heldBefore = scenario.permits.held;
    assert.equal(scenario.refusal()?.code, code);
    assert.equal(scenario.permits.held, heldBefore);
  },
);

const PAIRS = OBSTACLES.flatMap((earlier, index) =>
  OBSTACLES.slice(index + 1)
    .filter((later) => later.of !== earlier.of)
    .map((later) => [earlier.row, later.row, earlier, later] as const)
);

Deno.test.each(PAIRS)("admit() answers by row %s before row %s", (_one, _other, earlier, later) => {
  const scenario = new Scenario();
  later.put(scenario);
  earlier.put(scenario);
  assert.equal(scenario.refusal()?.code, earlier.code);
});

Deno.test("admit() gives a half-open slot back when no permit is free", () => {
  const scenario = new Scenario();
  openCircuit(scenario.backend, NOW_MS);
  const halfOpenMs = NOW_MS + scenario.backend.config.breaker.timeoutMs;
  const taken = [scenario.permits.take(), scenario.permits.take()];
  assert.throws(() => scenario.admit(halfOpenMs), RouterError);
  assert.deepEqual(scenario.backend.breaker.state(halfOpenMs), {
    kind: "half_open",
    inFlight: 0,
    successes: 0,
  });
  for (const permit of taken) permit[Symbol.dispose]();
  const { slot, permit } = scenario.admit(halfOpenMs);
  assert.deepEqual(scenario.backend.breaker.state(halfOpenMs), {
    kind: "half_open",
    inFlight: 1,
    successes: 0,
  });
  slot.release();
  permit[Symbol.dispose]();
});

Deno.test("admit() names what it allows, and when to come again", () => {
  const post = new Scenario();
  post.method = "POST";
  assert.equal(post.refusal()?.headers["allow"], "GET");
  const draining = new Scenario();
  draining.draining = true;
  assert.ok(Number(draining.refusal()?.headers["retry-after"]) >= 1);
  const nobody = new Scenario();
  nobody.headers.delete("authorization");
  assert.equal(nobody.refusal()?.headers["www-authenticate"], "Bearer");
});

Deno.test("admit() counts every request that has the key against its rate", () => {
  const scenario = new Scenario();
  scenario.headers.delete("upgrade");
  assert.equal(scenario.refusal()?.code, "upgrade_required");
  assert.equal(scenario.refusal()?.code, "upgrade_required");
  assert.equal(scenario.refusal()?.code, "rate_limit_exceeded");
});

Deno.test("admit() takes nobody's key from the query or the subprotocols", () => {
  const scenario = new Scenario();
  scenario.headers.delete("authorization");
  scenario.rawQuery = "model=voice&api_key=secret&authorization=Bearer%20secret";
  scenario.headers.set("sec-websocket-protocol", "realtime, openai-insecure-api-key.secret");
  scenario.headers.set("x-api-key", "secret");
  assert.equal(scenario.refusal()?.code, "missing_api_key");
});

Deno.test("admit() in permissive mode lets anybody in as anonymous, without the key's limits", () => {
  for (const authorization of [null, "Bearer wrong", "Basic x"]) {
    const scenario = new Scenario();
    scenario.mode = "permissive";
    scenario.allowedModels = ["else"];
    if (authorization === null) scenario.headers.delete("authorization");
    else scenario.headers.set("authorization", authorization);
    const { identity } = scenario.admit();
    assert.equal(identity.kind, "anonymous");
  }
});

Deno.test("admit() compares the key's models with what the client sent, not with what it means", () => {
  const scenario = new Scenario();
  scenario.allowedModels = ["voice"];
  scenario.rawQuery = "model=alias";
  assert.equal(scenario.refusal()?.code, "model_not_allowed");
  scenario.allowedModels = ["alias"];
  const admission = scenario.admit();
  assert.equal(admission.dispatchModel, "voice");
  for (const query of ["model=VOICE", "model=voice%20", "model=+voice", "model=voice%00"]) {
    const bypass = new Scenario();
    bypass.allowedModels = ["voice"];
    bypass.rawQuery = query;
    assert.equal(bypass.refusal()?.code, "model_not_allowed", query);
  }
  const encoded = new Scenario();
  encoded.allowedModels = ["voice"];
  encoded.rawQuery = "%6dodel=%76oice";
  assert.equal(encoded.refusal(), null);
});

Deno.test.each(
  [
    ["no Origin", undefined],
    ["its own page", "http://router.test"],
    ["its own page over TLS", "https://router.test"],
    ["its own page with the default port", "https://router.test:443"],
  ] as const,
)("admit() lets %s in", (_what, origin) => {
  const scenario = new Scenario();
  if (origin !== undefined) scenario.headers.set("origin", origin);
  assert.equal(scenario.refusal(), null);
});

Deno.test("admit() takes x-backend for a wish", () => {
  const scenario = new Scenario();
  scenario.registry.apply([
    backendConfig("good", { models: MODELS }),
    backendConfig("other", { models: MODELS }),
  ]);
  for (const [wish, expected] of [["other", "other"], ["good", "good"], ["other", "other"]]) {
    scenario.headers.set("x-backend", wish ?? "");
    const { backend, permit } = scenario.admit(NOW_MS + 60_000);
    assert.equal(backend.name, expected);
    permit[Symbol.dispose]();
    scenario.rateLimiter.configure([]);
  }
  scenario.headers.set("x-backend", "nowhere");
  assert.equal(scenario.refusal(), null);
});
