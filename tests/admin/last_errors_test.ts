import assert from "node:assert/strict";
import { LastErrors } from "../../src/admin/mod.ts";

Deno.test("LastErrors keeps the last error of each backend", () => {
  const errors = new LastErrors();
  assert.equal(errors.of("one"), null);
  errors.note("one", { message: "first", atMs: 1 });
  errors.note("two", { message: "other", atMs: 2 });
  errors.note("one", { message: "second", atMs: 3 });
  assert.deepEqual(errors.of("one"), { message: "second", atMs: 3 });
  assert.deepEqual(errors.of("two"), { message: "other", atMs: 2 });
});

Deno.test("LastErrors keeps one line of at most 500 characters", () => {
  const errors = new LastErrors();
  errors.note("one", { message: `a\r\n\x1b[31mb\0${"x".repeat(600)}`, atMs: 1 });
  const message = errors.of("one")?.message ?? "";
  assert.ok(message.startsWith("a [31mb x"));
  assert.equal(message.length, 500);
});
