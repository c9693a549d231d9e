import assert from "node:assert/strict";
import { BodyBudget } from "../../src/dispatch/body_budget.ts";
import { RouterError } from "../../src/http/mod.ts";

Deno.test("BodyBudget refuses what does not fit, and has room again when a share is given back", () => {
  const budget = new BodyBudget(100);
  const first = budget.open();
  first.take(60);
  const second = budget.open();
  second.take(40);
  assert.throws(() => second.take(1), (error) => {
    assert.ok(error instanceof RouterError);
    assert.equal(error.code, "connection_limit_reached");
    assert.equal(error.headers["retry-after"], "5");
    return true;
  });
  assert.equal(budget.takenBytes, 100);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert.equal(budget.takenBytes, 40);
  second.take(60);
  second[Symbol.dispose]();
  assert.equal(budget.takenBytes, 0);
});
