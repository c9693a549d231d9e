import assert from "node:assert/strict";
import { ERROR_ANSWERS, errorBody, type ErrorCode, RouterError } from "../../src/http/mod.ts";

/** Spec §3 and §10. */
const ANSWERS: Readonly<Record<ErrorCode, readonly [status: number, type: string]>> = {
  host_not_allowed: [403, "permission_error"],
  not_found: [404, "invalid_request_error"],
  method_not_allowed: [405, "invalid_request_error"],
  draining: [503, "service_unavailable"],
  missing_api_key: [401, "authentication_error"],
  invalid_api_key: [401, "authentication_error"],
  expired_api_key: [401, "authentication_error"],
  rate_limit_exceeded: [429, "rate_limit_error"],
  upgrade_required: [426, "invalid_request_error"],
  invalid_handshake: [400, "invalid_request_error"],
  origin_not_allowed: [403, "permission_error"],
  missing_model: [400, "invalid_request_error"],
  invalid_model_parameter: [400, "invalid_request_error"],
  model_not_allowed: [403, "permission_error"],
  model_not_found: [404, "invalid_request_error"],
  audio_not_supported: [400, "invalid_request_error"],
  backend_not_allowed: [403, "permission_error"],
  no_available_backend: [503, "service_unavailable"],
  session_limit_reached: [503, "service_unavailable"],
  invalid_request: [400, "invalid_request_error"],
  request_timeout: [408, "invalid_request_error"],
  request_too_large: [413, "invalid_request_error"],
  request_header_too_large: [431, "invalid_request_error"],
  connection_limit_reached: [503, "service_unavailable"],
  admin_not_allowed: [403, "permission_error"],
  upstream_error: [502, "api_error"],
  upstream_timeout: [504, "api_error"],
  internal_error: [500, "api_error"],
};

const CODES = Object.keys(ERROR_ANSWERS) as ErrorCode[];

Deno.test.each(CODES.map((code) => [code] as const))(
  "RouterError %s has the status and type of the table",
  (code) => {
    const [status, type] = ANSWERS[code];
    const error = new RouterError(code, "why", { param: "model" });
    assert.equal(error.status, status);
    assert.deepEqual(errorBody(error), { error: { message: "why", type, code, param: "model" } });
  },
);

Deno.test("RouterError is the client's fault, about no parameter, unless something else is said", () => {
  const plain = new RouterError("not_found", "why");
  assert.equal(plain.source, "client");
  assert.equal(plain.param, null);
  assert.deepEqual(plain.headers, {});
  assert.equal(plain.cause, undefined);
  assert.ok(plain instanceof Error);
  const cause = new Error("below");
  const other = new RouterError("upstream_error", "why", {
    source: "upstream",
    headers: { "retry-after": "1" },
    cause,
  });
  assert.equal(other.source, "upstream");
  assert.equal(other.cause, cause);
  assert.equal(other.headers["retry-after"], "1");
});

Deno.test("errorBody() shows nothing of the cause", () => {
  const error = new RouterError("internal_error", "Internal error", {
    cause: new Error("secret of 10.0.0.5"),
  });
  assert.ok(!JSON.stringify(errorBody(error)).includes("secret"));
});
