import assert from "node:assert/strict";
import { parseBearer } from "../../src/auth/mod.ts";

Deno.test.each(
  [
    [null, { kind: "none" }],
    ["", { kind: "none" }],
    ["   ", { kind: "none" }],
    ["Bearer", { kind: "none" }],
    ["Bearer ", { kind: "none" }],
    ["Basic dXNlcjpwYXNz", { kind: "none" }],
    ["sk-123", { kind: "none" }],
    ["Bearersk-123", { kind: "none" }],
    ["Bearer sk-123", { kind: "key", key: "sk-123" }],
    ["bearer sk-123", { kind: "key", key: "sk-123" }],
    ["BEARER\tsk-123", { kind: "key", key: "sk-123" }],
    ["  Bearer   sk-123  ", { kind: "key", key: "sk-123" }],
    ["Bearer a.b_c~d+e/f==", { kind: "key", key: "a.b_c~d+e/f==" }],
    ["Bearer a b", { kind: "malformed" }],
    ["Bearer a, Bearer b", { kind: "malformed" }],
    ["Bearer a, Bearer a", { kind: "malformed" }],
    ["Bearer a, Basic b", { kind: "malformed" }],
    ["Basic b, Bearer a", { kind: "malformed" }],
    ["Bearer schlüssel", { kind: "malformed" }],
    ["Bearer a\u0000", { kind: "malformed" }],
  ] as const,
)("parseBearer(%j)", (value, expected) => {
  assert.deepEqual(parseBearer(value), expected);
});

Deno.test("parseBearer() reads two header lines as malformed", () => {
  const headers = new Headers();
  headers.append("authorization", "Bearer good");
  headers.append("authorization", "Bearer bad");
  assert.deepEqual(parseBearer(headers.get("authorization")), { kind: "malformed" });
});
