import assert from "node:assert/strict";
import { errorResponse, rawErrorResponse, RouterError, toRouterError } from "../../src/http/mod.ts";

Deno.test("toRouterError() lets refusals be and hides everything else", () => {
  const refusal = new RouterError("not_found", "Unknown path");
  assert.equal(toRouterError(refusal), refusal);
  for (const thrown of [new TypeError("secret"), "secret", undefined, null]) {
    const error = toRouterError(thrown);
    assert.equal(error.code, "internal_error");
    assert.equal(error.source, "internal");
    assert.ok(!error.message.includes("secret"));
    if (thrown !== undefined) assert.equal(error.cause, thrown);
  }
});

Deno.test("errorResponse() is JSON with the error's status, headers and the request's id", async () => {
  const error = new RouterError("draining", "Shutting down", { headers: { "retry-after": "5" } });
  const response = errorResponse(error, "id-1");
  assert.equal(response.status, 503);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("retry-after"), "5");
  assert.equal(response.headers.get("x-request-id"), "id-1");
  assert.deepEqual(await response.json(), {
    error: {
      message: "Shutting down",
      type: "service_unavailable",
      code: "draining",
      param: null,
    },
  });
});

Deno.test.each(
  [
    ["invalid_request", "HTTP/1.1 400 Bad Request"],
    ["request_timeout", "HTTP/1.1 408 Request Timeout"],
    ["request_header_too_large", "HTTP/1.1 431 Request Header Fields Too Large"],
    ["connection_limit_reached", "HTTP/1.1 503 Service Unavailable"],
    ["internal_error", "HTTP/1.1 500 Error"],
  ] as const,
)("rawErrorResponse() of %s is a whole response that closes the connection", (code, statusLine) => {
  const error = new RouterError(code, "너무 길다", { headers: { "retry-after": "5" } });
  const bytes = rawErrorResponse(error, "id-1");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const end = text.indexOf("\r\n\r\n");
  const [first, ...lines] = text.slice(0, end).split("\r\n");
  assert.equal(first, statusLine);
  const headers = new Headers(lines.map((line): [string, string] => {
    const [name = "", value = ""] = line.split(": ");
    return [name, value];
  }));
  assert.equal(headers.get("connection"), "close");
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(headers.get("x-request-id"), "id-1");
  assert.equal(headers.get("retry-after"), "5");
  const body = text.slice(end + 4);
  assert.equal(Number(headers.get("content-length")), new TextEncoder().encode(body).length);
  assert.equal(JSON.parse(body).error.code, code);
  assert.equal(JSON.parse(body).error.message, "너무 길다");
});
