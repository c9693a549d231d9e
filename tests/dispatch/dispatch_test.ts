import assert from "node:assert/strict";
import { errorBody } from "../../src/http/mod.ts";
import type { DispatchScenario, ScenarioOptions } from "../support/dispatch_scenario.ts";
import { backendConfig, openCircuit, takeDown } from "../support/live_backends.ts";
import { ASKED, type Asked, Dispatched, ok } from "./dispatched.ts";

const LIMITED = { id: "key-1", allowedModels: ["voice"], allowedBackends: ["b"] };

interface Refused {
  readonly code: string;
  readonly name: string;
  readonly body?: unknown;
  readonly init?: Asked;
  readonly options?: Partial<ScenarioOptions>;
  readonly before?: (scenario: DispatchScenario) => void;
}

const bearer = (key: string) => ({ headers: { "authorization": `Bearer ${key}` } });

const REFUSALS: readonly Refused[] = [
  { code: "method_not_allowed", name: "another method", init: { method: "PUT" } },
  { code: "missing_api_key", name: "no key", options: { mode: "blocking" } },
  {
    code: "invalid_api_key",
    name: "a wrong key",
    options: { mode: "blocking" },
    init: bearer("x"),
  },
  {
    code: "expired_api_key",
    name: "an old key",
    options: { mode: "blocking", keys: [{ expiresAtMs: 1 }] },
    init: bearer("secret-1"),
  },
  {
    code: "rate_limit_exceeded",
    name: "one request too many",
    options: { keys: [{}], rateLimit: 1 },
    init: bearer("secret-1"),
    before: ({ gate }) => gate.rateLimiter.take("key-1", { nowMs: gate.now() }),
  },
  { code: "invalid_request", name: "no JSON", body: "model=voice" },
  { code: "missing_model", name: "no model", body: {} },
  { code: "invalid_model_parameter", name: "two models", body: '{"model":"a","model":"b"}' },
  {
    code: "model_not_allowed",
    name: "an alias of an allowed model",
    body: { model: "alias" },
    options: { keys: [LIMITED] },
    init: bearer("secret-1"),
  },
  {
    code: "model_not_allowed",
    name: "an allowed model in another case",
    body: { model: "Voice" },
    options: { keys: [LIMITED] },
    init: bearer("secret-1"),
  },
  { code: "model_not_found", name: "an unknown model", body: { model: "nobodys" } },
  {
    code: "backend_not_allowed",
    name: "backends that the key may not use",
    options: { keys: [{ allowedBackends: ["d"] }] },
    init: bearer("secret-1"),
  },
  {
    code: "no_available_backend",
    name: "backends that are down or shut off",
    before: (scenario) => {
      takeDown(scenario.backend("a"), scenario.clock.now());
      openCircuit(scenario.backend("b"), scenario.clock.now());
      openCircuit(scenario.backend("c"), scenario.clock.now());
    },
  },
];

Deno.test.each(REFUSALS)("dispatch() refuses $name: $code", async (refusal) => {
  const dispatched = new Dispatched(ok, refusal.options);
  refusal.before?.(dispatched.scenario);
  const error = await dispatched.refusal(refusal.body ?? ASKED, refusal.init);
  assert.equal(error.code, refusal.code);
  assert.deepEqual([dispatched.asked, dispatched.tries], [[], []]);
  assert.equal(dispatched.scenario.clock.pending, 0);
});

Deno.test("dispatch() checks in the order of spec §3: the first obstacle answers", async () => {
  const dispatched = new Dispatched(ok, { mode: "blocking", keys: [LIMITED], rateLimit: 1 });
  const code = async (body: unknown, init: Asked) => (await dispatched.refusal(body, init)).code;
  assert.equal(await code("no JSON", { method: "PUT" }), "method_not_allowed");
  assert.equal(await code("no JSON", {}), "missing_api_key");
  assert.equal(await code("no JSON", bearer("secret-1")), "invalid_request");
  assert.equal(await code("no JSON", bearer("secret-1")), "rate_limit_exceeded");
});

Deno.test("dispatch() shows the caller's own string of an unknown model", async () => {
  const error = await new Dispatched(ok).refusal({ model: "nobodys/model" });
  assert.match(errorBody(error).error.message, /'nobodys\/model'/);
});

Deno.test("dispatch() says which method is allowed", async () => {
  const error = await new Dispatched(ok).refusal(ASKED, { method: "DELETE" });
  assert.equal(error.headers["allow"], "POST");
});

Deno.test("dispatch() sends the body to the endpoint, with the model that is listed", async () => {
  const dispatched = new Dispatched(ok);
  const response = await dispatched.post('{ "model" : "alias", "seed":12345678901234567890 }');
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("x-served-backend"), "a");
  await response.text();
  const [request] = dispatched.requests;
  assert.equal(request?.url, "http://a.test:8000/v1/chat/completions");
  assert.equal(
    new TextDecoder().decode(request?.body),
    '{ "model" : "voice", "seed":12345678901234567890 }',
  );
  assert.equal(request?.headers.get("x-request-id"), "r-1");
  const [record] = dispatched.scenario.records;
  assert.deepEqual([record?.model, record?.stream, record?.ttft_ms], ["voice", false, undefined]);
});

Deno.test("dispatch() does not double a version, and uses a delivered credential", async () => {
  const config = backendConfig("a", { url: "https://a.test/openai/v1", models: ["voice"] });
  const dispatched = new Dispatched(ok, { backends: [config], credentials: { a: "fresh-key" } });
  await (await dispatched.post(ASKED)).text();
  assert.equal(dispatched.requests[0]?.url, "https://a.test/openai/v1/chat/completions");
  assert.equal(dispatched.requests[0]?.headers.get("authorization"), "Bearer fresh-key");
});

Deno.test("dispatch() says why a caller counts as anonymous", async () => {
  const dispatched = new Dispatched(ok, { keys: [{ enabled: false }] });
  for (const key of ["secret-1", "wrong"]) await (await dispatched.post(ASKED, bearer(key))).text();
  await (await dispatched.post(ASKED)).text();
  assert.deepEqual(dispatched.scenario.anonymous, ["disabled_key", "unknown_key", "no_key"]);
});
