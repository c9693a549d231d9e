import assert from "node:assert/strict";
import { importsOf } from "../../../tools/layout/imports.ts";
import { treeOf } from "./tree_of.ts";

const PATH = "src/auth/key_ring.ts";

const SEEN: readonly { readonly text: string; readonly line: number }[] = [
  { text: 'import { a } from "./b.ts";\n', line: 1 },
  { text: 'import a from "./b.ts";\n', line: 1 },
  { text: 'import * as a from "./b.ts";\n', line: 1 },
  { text: 'import a, { type b, c as d } from "./b.ts";\n', line: 1 },
  { text: 'import type { A } from "./b.ts";\n', line: 1 },
  { text: 'import "./b.ts";\n', line: 1 },
  { text: 'import {\n  a,\n  type B,\n} from "./b.ts";\n', line: 4 },
  { text: 'import a from "./b.ts" with { type: "json" };\n', line: 1 },
  { text: 'export * from "./b.ts";\n', line: 1 },
  { text: 'export * as a from "./b.ts";\n', line: 1 },
  { text: 'export { a } from "./b.ts";\n', line: 1 },
  { text: 'export type { A } from "./b.ts";\n', line: 1 },
  { text: '// a\n/* b */\nimport { a } from "./b.ts";\n', line: 3 },
  { text: 'async function a() {\n  await import("./b.ts");\n}\n', line: 2 },
  { text: 'export type A = import("./b.ts").A;\n', line: 1 },
];

Deno.test.each(SEEN)("importsOf: sees $text", ({ text, line }) => {
  assert.deepEqual(importsOf(treeOf({ [PATH]: text })), [
    { from: PATH, line, specifier: "./b.ts", to: "src/auth/b.ts" },
  ]);
});

Deno.test.each([
  { text: '// import { a } from "./b.ts";\n' },
  { text: '/*\nimport { a } from "./b.ts";\n*/\n' },
  { text: '/**\n * import { a } from "./b.ts";\n */\n' },
  { text: '/* import("./b.ts") */\n' },
  { text: 'const a = "import { b } from ./b.ts";\n' },
  { text: 'export const from = "./b.ts";\n' },
  { text: 'export function a() {\n  return "./b.ts";\n}\n' },
])("importsOf: sees none in $text", ({ text }) => {
  assert.deepEqual(importsOf(treeOf({ [PATH]: text })), []);
});

Deno.test("importsOf: a package has no path", () => {
  const [found] = importsOf(treeOf({ [PATH]: 'import { z } from "zod";\n' }));
  assert.deepEqual(found, { from: PATH, line: 1, specifier: "zod", to: undefined });
});

Deno.test("importsOf: only code is read", () => {
  assert.deepEqual(importsOf(treeOf({ "README.md": 'import { a } from "./b.ts";\n' })), []);
});
