import assert from "node:assert/strict";
import { checkFileCycles, checkRoomCycles } from "../../../tools/layout/cycles.ts";
import { imports, treeOf } from "./tree_of.ts";

Deno.test("checkRoomCycles: rooms in a line are fine", () => {
  const tree = treeOf({
    "src/realtime/session.ts": imports("../wire/mod.ts") + imports("../http/mod.ts"),
    "src/http/app.ts": imports("../wire/mod.ts"),
    "src/wire/edge.ts": imports("./stream.ts"),
  });
  assert.deepEqual(checkRoomCycles(tree), []);
});

Deno.test("checkRoomCycles: names the circle and the import that closes it", () => {
  const tree = treeOf({
    "src/realtime/session.ts": imports("../http/mod.ts"),
    "src/http/app.ts": imports("../wire/mod.ts"),
    "src/wire/edge.ts": `\n${imports("../realtime/mod.ts")}`,
  });
  assert.deepEqual(checkRoomCycles(tree), [{
    path: "src/wire/edge.ts",
    line: 2,
    message: "cycle of rooms: realtime → http → wire → realtime",
  }]);
});

Deno.test("checkRoomCycles: imports of types count", () => {
  const tree = treeOf({
    "src/http/app.ts": 'import type { A } from "../realtime/mod.ts";\n',
    "src/realtime/mod.ts": 'import type { B } from "../http/mod.ts";\n',
  });
  assert.equal(checkRoomCycles(tree).length, 1);
});

Deno.test("checkFileCycles: files of a room that import each other", () => {
  const tree = treeOf({
    "src/wire/a.ts": imports("./b.ts"),
    "src/wire/b.ts": imports("./c.ts") + imports("./a.ts"),
    "src/wire/c.ts": "",
  });
  assert.deepEqual(checkRoomCycles(tree), []);
  assert.deepEqual(checkFileCycles(tree), [{
    path: "src/wire/b.ts",
    line: 2,
    message: "cycle of files: src/wire/a.ts → src/wire/b.ts → src/wire/a.ts",
  }]);
});

Deno.test("checkFileCycles: a file that imports itself", () => {
  const tree = treeOf({ "demo/a.ts": imports("./a.ts") });
  assert.deepEqual(checkFileCycles(tree).map(({ message }) => message), [
    "cycle of files: demo/a.ts → demo/a.ts",
  ]);
});

Deno.test("checkFileCycles: two ways to the same file are no cycle", () => {
  const tree = treeOf({
    "src/wire/a.ts": imports("./b.ts") + imports("./c.ts"),
    "src/wire/b.ts": imports("./d.ts"),
    "src/wire/c.ts": imports("./d.ts"),
    "src/wire/d.ts": "",
  });
  assert.deepEqual(checkFileCycles(tree), []);
});
