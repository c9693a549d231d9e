import assert from "node:assert/strict";
import { checkFileNames } from "../../../tools/layout/file_names.ts";
import { checkFileSizes } from "../../../tools/layout/file_size.ts";
import { checkPrivateText } from "../../../tools/layout/private_text.ts";
import { checkProcessAccess } from "../../../tools/layout/process_access.ts";
import { type LayoutCase, placesOf, treeOf } from "./tree_of.ts";

Deno.test.each([
  { lines: 300, level: "none" },
  { lines: 301, level: "warning" },
  { lines: 400, level: "warning" },
  { lines: 401, level: "error" },
])("checkFileSizes: $lines lines are of level $level", ({ lines, level }) => {
  const problems = checkFileSizes(treeOf({ "src/wire/edge.ts": "a;\n".repeat(lines) }));
  const levels = problems.map((problem) => problem.level ?? "error");
  assert.deepEqual(levels, level === "none" ? [] : [level]);
});

Deno.test("checkFileSizes: views are code, what is built of them is not", () => {
  const long = "a;\n".repeat(500);
  const tree = { "src/console/page/app.tsx": long, "src/console/built/console.js": long };
  assert.deepEqual(placesOf(checkFileSizes(treeOf(tree))), ["src/console/page/app.tsx:401"]);
});

Deno.test("checkFileSizes: texts may be long", () => {
  assert.deepEqual(checkFileSizes(treeOf({ "deno.lock": "a\n".repeat(500) })), []);
});

Deno.test.each([
  { path: "src/wire/utils.ts", banned: true },
  { path: "src/wire/string_util.ts", banned: true },
  { path: "tests/helpers/raw_client.ts", banned: true },
  { path: "demo/Common.ts", banned: true },
  { path: "tests/wire/misc_test.ts", banned: true },
  { path: "src/wire/edge.ts", banned: false },
  { path: "src/wire/utility_meter.ts", banned: false },
])("checkFileNames: $path is banned: $banned", ({ path, banned }) => {
  assert.deepEqual(placesOf(checkFileNames(treeOf({ [path]: "" }))), banned ? [`${path}:1`] : []);
});

const READS = 'const a = 1;\nDeno.env.get("HOME");\n';

const PROCESS_CASES: readonly LayoutCase[] = [
  { name: "the program may", tree: { "main.ts": READS }, found: [] },
  { name: "the demo's program may", tree: { "demo/main.ts": READS }, found: [] },
  { name: "a tool's program may", tree: { "tools/sum_results.ts": "Deno.args;\n" }, found: [] },
  { name: "tests may", tree: { "tests/e2e/cli_test.ts": READS }, found: [] },
  { name: "rooms may not", tree: { "src/config/load.ts": READS }, found: ["src/config/load.ts:2"] },
  { name: "the demo may not", tree: { "demo/demo.ts": READS }, found: ["demo/demo.ts:2"] },
  {
    name: "nor through Node's process",
    tree: { "src/config/load.ts": "process.argv;\nprocess.env.A;\nprocess.cpuUsage();\n" },
    found: ["src/config/load.ts:1", "src/config/load.ts:2"],
  },
  {
    name: "comments may speak of it",
    tree: { "src/config/load.ts": "/** Not `Deno.env`. */\nconst a = 1; // Deno.args\n" },
    found: [],
  },
];

Deno.test.each(PROCESS_CASES)("checkProcessAccess: $name", ({ tree, found }) => {
  assert.deepEqual(placesOf(checkProcessAccess(treeOf(tree))), found);
});

/** Written apart, because this file is checked as well. */
const home = (folder: string) => `/${folder}`;
const registry = ["registry.npm", "js.org"].join("");

const TEXT_CASES: readonly LayoutCase[] = [
  {
    name: "a home folder",
    tree: { "README.md": `\ncd ${home("home")}/me\n` },
    found: ["README.md:2"],
  },
  { name: "a checkout", tree: { "a.json": `"${home("work")}/main"` }, found: ["a.json:1"] },
  { name: "a folder alone", tree: { ".ci/run": `cd ${home("root")}` }, found: [".ci/run:1"] },
  { name: "a file URL", tree: { "a.md": `file://${home("root")}/a` }, found: ["a.md:1"] },
  {
    name: "a path below ours",
    tree: { "a.md": `bench${home("work")}/a and ~${home("work")}` },
    found: [],
  },
  { name: "a longer name", tree: { "a.md": `${home("workers")} ${home("home-page")}` }, found: [] },
  { name: "a registry", tree: { "a.yaml": `url: ${registry}` }, found: ["a.yaml:1"] },
  {
    name: "an address in the lock file",
    tree: { "deno.lock": '{\n  "tarball": "https://packages.example.com/a.tgz"\n}' },
    found: ["deno.lock:2"],
  },
  { name: "an address elsewhere", tree: { "README.md": "https://example.com" }, found: [] },
];

Deno.test.each(TEXT_CASES)("checkPrivateText: $name", ({ tree, found }) => {
  assert.deepEqual(placesOf(checkPrivateText(treeOf(tree))), found);
});
