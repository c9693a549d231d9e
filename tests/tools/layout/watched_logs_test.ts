import assert from "node:assert/strict";
import { checkWatchedLogs } from "../../../tools/layout/watched_logs.ts";
import { type LayoutCase, placesOf, treeOf } from "./tree_of.ts";

const START = 'import { type Router, startRouter } from "../../src/router/mod.ts";\n';

const CASES: readonly LayoutCase[] = [
  { name: "a test that starts a router", tree: { "tests/a/b_test.ts": START }, found: [1] },
  { name: "the one that may", tree: { "tests/support/watched_router.ts": START }, found: [] },
  { name: "a program that is no test", tree: { "demo/main.ts": START }, found: [] },
  {
    name: "a test that takes something else of the room",
    tree: { "tests/a/b_test.ts": 'import { isHealthy } from "../../src/router/mod.ts";\n' },
    found: [],
  },
  {
    name: "a test with a log of its own",
    tree: { "tests/a/b_test.ts": "\nawait setUpLogging({ write });\n" },
    found: [2],
  },
  {
    name: "a test that ends the captured log",
    tree: { "tests/a/b_test.ts": "await endLogging();\n" },
    found: [1],
  },
  {
    name: "a test that runs programs by itself",
    tree: {
      "tests/a/b_test.ts": '\n\nnew Deno.Command(Deno.execPath(), { args: ["main.ts"] });\n',
    },
    found: [3],
  },
  {
    name: "what is in comments",
    tree: { "tests/a/b_test.ts": "// Not with Deno.Command, nor with setUpLogging.\n" },
    found: [],
  },
].map(({ found, ...rest }) => ({
  ...rest,
  found: found.map((line) => `tests/a/b_test.ts:${line}`),
}));

Deno.test.each(CASES)("checkWatchedLogs: $name", ({ tree, found }) => {
  assert.deepEqual(placesOf(checkWatchedLogs(treeOf(tree))), found);
});
