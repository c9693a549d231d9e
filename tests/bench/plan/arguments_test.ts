import assert from "node:assert/strict";
import { choose, readArguments } from "../../../bench/plan/arguments.ts";

Deno.test("readArguments: a whole run of five rounds, kept as results.json", () => {
  assert.deepEqual(readArguments([]), {
    quick: false,
    repeat: false,
    rounds: 5,
    subjects: undefined,
    loads: undefined,
    output: "results.json",
  });
});

Deno.test("readArguments: a quick run is one round and nobody's results", () => {
  const { rounds, output } = readArguments(["--quick"]);
  assert.deepEqual([rounds, output], [1, "quick.local.json"]);
});

Deno.test("readArguments: a part of a run is kept only under a name", () => {
  assert.equal(readArguments(["--loads=idle"]).output, undefined);
  assert.equal(
    readArguments(["--subjects=router", "--output=a.local.json"]).output,
    "a.local.json",
  );
  assert.deepEqual(readArguments(["--subjects=nginx,router"]).subjects, ["nginx", "router"]);
});

Deno.test.each([
  { args: ["--rounds=0"], message: /--rounds/ },
  { args: ["--rounds=two"], message: /--rounds/ },
  { args: ["--rounds=1.5"], message: /--rounds/ },
  { args: ["--output=../a.json"], message: /--output/ },
  { args: ["--fast"], message: /--fast/ },
  { args: ["nginx"], message: /nginx/ },
])("readArguments: refuses $args", ({ args, message }) => {
  assert.throws(() => readArguments(args), message);
});

Deno.test("choose: keeps the order, and refuses unknown names", () => {
  const all = [{ name: "a" }, { name: "b" }, { name: "c" }];
  assert.deepEqual(choose(all, ["c", "a"]), [{ name: "a" }, { name: "c" }]);
  assert.throws(() => choose(all, ["d"]), /there is no d; there are a, b, c/);
});
