import assert from "node:assert/strict";
import { classifyStreamError } from "../../src/wire/stream.ts";

Deno.test.each(
  [
    // TLS without close_notify: a careless peer, not a broken connection.
    [new Deno.errors.UnexpectedEof("tls close_notify missing"), "fin"],
    [new Deno.errors.ConnectionReset("Connection reset by peer"), "rst"],
    [new Deno.errors.ConnectionAborted("aborted"), "rst"],
    [new Deno.errors.BrokenPipe("Broken pipe"), "rst"],
    [new Deno.errors.TimedOut("timed out"), "rst"],
    [new Deno.errors.BadResource("Bad resource ID"), "killed"],
    [new Deno.errors.Interrupted("operation canceled"), "killed"],
    [new Error("anything else"), "rst"],
  ] as const,
)("classifyStreamError() of %s is %s", (error, end) => {
  assert.equal(classifyStreamError(error), end);
});
