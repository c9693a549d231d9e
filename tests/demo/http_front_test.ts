import assert from "node:assert/strict";
import { OPENAI } from "../../demo/dialects/openai.ts";
import { SPEACHES } from "../../demo/dialects/speaches.ts";
import { decide, type FrontRequest } from "../../demo/http_front.ts";

const OPTIONS = { apiKey: "secret", models: ["demo-voice", "org/voice 2"], dialect: OPENAI };
const NO_KEY = new Headers();
const bearer = (key: string) => new Headers({ authorization: `Bearer ${key}` });
const REQUEST: FrontRequest = {
  method: "GET",
  target: "/v1/realtime?model=demo-voice",
  headers: bearer("secret"),
  upgrade: true,
};

Deno.test.each([
  { target: "/v1/realtime?model=demo-voice", model: "demo-voice" },
  { target: "/openai/v1/realtime?model=demo-voice&x=1", model: "demo-voice" },
  { target: "/realtime?model=org%2Fvoice+2", model: "org/voice 2" },
])("decide: $target may upgrade", ({ target, model }) => {
  assert.deepEqual(decide({ ...REQUEST, target }, OPTIONS), {
    kind: "upgrade",
    admission: { kind: "session", model },
  });
});

Deno.test.each([
  { name: "no upgrade", change: { upgrade: false }, status: 426, code: "upgrade_required" },
  {
    name: "wrong key",
    change: { headers: bearer("x") },
    status: 401,
    code: "invalid_api_key",
  },
  { name: "no key", change: { headers: NO_KEY }, status: 401, code: "invalid_api_key" },
  {
    name: "two keys",
    change: { headers: bearer("secret, Bearer x") },
    status: 401,
    code: "invalid_api_key",
  },
  { name: "unknown path", change: { target: "/v1/other" }, status: 404, code: "not_found" },
  { name: "no URL", change: { target: "http://" }, status: 400, code: "invalid_request" },
  { name: "no model", change: { target: "/v1/realtime" }, status: 400, code: "invalid_model" },
  {
    name: "two models",
    change: { target: "/realtime?model=demo-voice&model=demo-voice" },
    status: 400,
    code: "invalid_model",
  },
  {
    name: "unknown model",
    change: { target: "/realtime?model=other" },
    status: 404,
    code: "model_not_found",
  },
  { name: "POST", change: { method: "POST" }, status: 405, code: "method_not_allowed" },
])("decide: $name is $status $code", ({ change, status, code }) => {
  const decision = decide({ ...REQUEST, ...change }, OPTIONS);
  assert.ok(decision.kind === "answer");
  assert.equal(decision.answer.status, status);
  assert.partialDeepStrictEqual(JSON.parse(decision.answer.body), {
    error: { type: "invalid_request_error", code, param: null },
  });
});

Deno.test("decide: without a key of its own the backend lets everybody in", () => {
  const decision = decide({ ...REQUEST, headers: NO_KEY }, { ...OPTIONS, apiKey: null });
  assert.equal(decision.kind, "upgrade");
});

Deno.test("decide: /health needs no key, /v1/models does", () => {
  const health = decide({ ...REQUEST, target: "/health", headers: NO_KEY }, OPTIONS);
  assert.ok(health.kind === "answer");
  assert.equal(health.answer.status, 200);
  const models = decide({ ...REQUEST, target: "/v1/models" }, OPTIONS);
  assert.ok(models.kind === "answer");
  assert.partialDeepStrictEqual(JSON.parse(models.answer.body), {
    object: "list",
    data: [{ id: "demo-voice", object: "model" }, { id: "org/voice 2", object: "model" }],
  });
  const stranger = decide({ ...REQUEST, target: "/v1/models", headers: NO_KEY }, OPTIONS);
  assert.ok(stranger.kind === "answer");
  assert.equal(stranger.answer.status, 401);
});

Deno.test.each([
  { name: "a missing model", change: { target: "/v1/realtime" } },
  { name: "a wrong key", change: { headers: NO_KEY } },
])("decide: in the dialect speaches $name is a 403 without a body", ({ change }) => {
  const decision = decide({ ...REQUEST, ...change }, { ...OPTIONS, dialect: SPEACHES });
  assert.deepEqual(decision, {
    kind: "answer",
    answer: { status: 403, headers: { "content-length": "0" }, body: "" },
  });
});
