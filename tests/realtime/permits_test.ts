import assert from "node:assert/strict";
import { RouterError } from "../../src/http/mod.ts";
import { Permits } from "../../src/realtime/mod.ts";

Deno.test("Permits.take() gives its limit and no more, then again what came back", () => {
  const permits = new Permits(3);
  const taken = [permits.take(), permits.take(), permits.take()];
  assert.equal(permits.held, 3);
  assert.throws(
    () => permits.take(),
    (error) =>
      error instanceof RouterError && error.code === "session_limit_reached" &&
      error.status === 503 && Number(error.headers["retry-after"]) >= 1,
  );
  assert.equal(permits.held, 3);
  taken[1]?.[Symbol.dispose]();
  assert.equal(permits.held, 2);
  using _again = permits.take();
  assert.throws(() => permits.take(), RouterError);
});

Deno.test("Permits come back once, however often they are disposed of", () => {
  const permits = new Permits(2);
  const permit = permits.take();
  using _other = permits.take();
  permit[Symbol.dispose]();
  permit[Symbol.dispose]();
  assert.equal(permits.held, 1);
});
