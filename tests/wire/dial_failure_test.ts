import assert from "node:assert/strict";
import { connectFailure, DialFailure } from "../../src/wire/dial_failure.ts";

Deno.test.each(
  [
    [new Deno.errors.ConnectionRefused("Connection refused (os error 111)"), "refused"],
    [new Error("failed to lookup address information: Name or service not known"), "dns"],
    [new Error("No such host could be resolved"), "dns"],
    [new Deno.errors.TimedOut("Connection timed out (os error 110)"), "unreachable"],
    [new Error("Network is unreachable (os error 101)"), "unreachable"],
    ["a string", "unreachable"],
  ] as const,
)("connectFailure() of %s is %s", (error, kind) => {
  const failure = connectFailure(error);
  assert.ok(failure instanceof DialFailure);
  assert.equal(failure.kind, kind);
  assert.equal(failure.cause, error);
  assert.equal(failure.status, undefined);
});
