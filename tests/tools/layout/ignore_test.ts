import assert from "node:assert/strict";
import { parseIgnore } from "../../../tools/layout/ignore.ts";

const isIgnored = parseIgnore(
  "# a comment\n\nnode_modules/\n*.db\nbench/results/*.local.*\n/dist/\n",
);

Deno.test.each([
  { path: ".git/", ignored: true },
  { path: ".git", ignored: true },
  { path: "node_modules/", ignored: true },
  { path: "bench/node_modules/", ignored: true },
  { path: "node_modules", ignored: false },
  { path: "data/usage.db", ignored: true },
  { path: "usage.dbx", ignored: false },
  { path: "bench/results/a.local.json", ignored: true },
  { path: "bench/results/a.json", ignored: false },
  { path: "old/bench/results/a.local.json", ignored: false },
  { path: "dist/", ignored: true },
  { path: ".gitignore", ignored: false },
])("parseIgnore: $path is ignored: $ignored", ({ path, ignored }) => {
  assert.equal(isIgnored(path), ignored);
});
