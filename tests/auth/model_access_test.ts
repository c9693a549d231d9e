import assert from "node:assert/strict";
import { anonymous, checkModelAccess } from "../../src/auth/mod.ts";

Deno.test.each(
  [
    [["m-real"], "m-real", true],
    [["m-real"], "m", false],
    [["m"], "m", true],
    [["m-real"], "M-Real", false],
    [["m-real"], " m-real", false],
    [["m-real"], "m-real ", false],
    [["m-real"], "m%2Dreal", false],
    [["m-real"], "m-real-2025-08-28", false],
    [["m-real"], "", false],
    [["a", "b"], "b", true],
    [null, "anything", true],
  ] as const,
)("checkModelAccess() with %j, asked for %j: %s", (allowed, model, expected) => {
  const identity = { allowedModels: allowed === null ? null : new Set<string>(allowed) };
  if (expected) checkModelAccess(identity, model);
  else {
    assert.throws(() => checkModelAccess(identity, model), {
      code: "model_not_allowed",
      status: 403,
      param: "model",
    });
  }
});

Deno.test("checkModelAccess() does not restrict the anonymous", () => {
  checkModelAccess(anonymous("no_key"), "anything");
});
