import assert from "node:assert/strict";
import { checkLayout, problemLine } from "../../../tools/layout/mod.ts";
import { imports, treeOf } from "./tree_of.ts";

Deno.test("checkLayout: a tree in order has no problem", () => {
  const tree = treeOf({
    "main.ts": imports("./src/auth/mod.ts"),
    "src/auth/mod.ts": 'export * from "./bearer.ts";\n',
    "src/auth/bearer.ts": imports("../http/mod.ts"),
    "src/http/mod.ts": "",
    "tests/auth/bearer_test.ts": imports("../../src/auth/bearer.ts"),
  });
  assert.deepEqual(checkLayout(tree), []);
});

Deno.test("checkLayout: every check is asked, and problems are ordered by place", () => {
  const tree = treeOf({
    "src/wire/utils.ts": [
      imports("../realtime/session.ts"),
      imports("prom-client"),
      "Deno.args;\n",
      "export function a(b: 1, c: 2, d: 3) {}\n",
      `// ${["", "home", "me"].join("/")}\n`,
    ].join(""),
    "src/realtime/mod.ts": imports("../wire/utils.ts"),
    "src/realtime/session.ts": imports("./mod.ts") + "a;\n".repeat(300),
    "deno.json": '"jsr:@std/http"\n',
  });
  assert.deepEqual(checkLayout(tree).map(problemLine), [
    "deno.json:1 packages come from npm only",
    "src/realtime/mod.ts:1 deep import: use the door src/wire/mod.ts",
    "src/realtime/mod.ts:1 cycle of rooms: wire → realtime → wire",
    "src/realtime/mod.ts:1 cycle of files: " +
    "src/wire/utils.ts → src/realtime/session.ts → src/realtime/mod.ts → src/wire/utils.ts",
    "src/realtime/session.ts:301 warning: has 301 lines",
    "src/wire/utils.ts:1 room src/wire has no door mod.ts",
    "src/wire/utils.ts:1 room wire may not import room realtime",
    "src/wire/utils.ts:1 deep import: use the door src/realtime/mod.ts",
    'src/wire/utils.ts:1 "utils" names no concept',
    "src/wire/utils.ts:2 only src/observability/ may import prom-client",
    "src/wire/utils.ts:3 only programs may use Deno.args: take the value as a parameter",
    "src/wire/utils.ts:4 a has 3 positional parameters: take at most 2 and an options object",
    "src/wire/utils.ts:5 a path of one machine",
  ]);
});
