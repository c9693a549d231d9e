/**
 * A test during which a router logs a secret fails, whoever runs the router.
 *
 * Permissions: those that are handed on below.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CACHE_VARIABLES, runProgram } from "../support/program.ts";

Deno.test("log watch: a test fails when a router within it or a program logs a key, and no other does", async () => {
  const { code, stdout } = await runProgram({
    command: "test",
    entry: "tests/e2e/programs/leaking.ts",
    permissions: [
      "--allow-net",
      "--allow-read=/tmp",
      "--allow-write=/tmp",
      `--allow-run=${Deno.execPath()}`,
      `--allow-env=${CACHE_VARIABLES.join(",")}`,
    ],
  });
  assert.equal(code, 1);
  const results = [...stdout.matchAll(/^(leaks .*?) \.\.\. (ok|FAILED) /gm)];
  assert.deepEqual(results.map(([, name, result]) => [name, result]), [
    ["leaks in this process", "FAILED"],
    ["leaks as a program", "FAILED"],
    ["leaks nothing", "ok"],
  ]);
  assert.equal(
    stdout.match(/^ *error: AssertionError: the log has what must not be in it/gm)?.length,
    2,
  );
  assert.match(stdout, /'a secret: .*"session started"/);
});
