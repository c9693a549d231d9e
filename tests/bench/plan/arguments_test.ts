import assert from "node:assert/strict";
import { choose, readArguments } from "../../../bench/plan/arguments.ts";

Deno.test("readArguments: a whole run of four rounds and further ones, kept as results.json", () => {
  assert.deepEqual(readArguments([]), {
    quick: false,
    repeat: false,
    rounds: 4,
    minutes: 60,
    subjects: undefined,
    loads: undefined,
    output: "results.json",
  });
});

Deno.test("readArguments: a quick run is one round and nobody's results", () => {
  const { rounds, minutes, output } = readArguments(["--quick"]);
  assert.deepEqual([rounds, minutes, output], [1, 0, "quick.local.json"]);
});

Deno.test.each([
  { args: ["--rounds=9"], expected: 0 },
  { args: ["--loads=idle"], expected: 0 },
  { args: ["--subjects=nginx,router"], expected: 0 },
  { args: ["--rounds=2", "--minutes=5"], expected: 5 },
  { args: ["--minutes=0"], expected: 0 },
])("readArguments: $args, and further rounds for $expected minutes", ({ args, expected }) => {
  assert.equal(readArguments(args).minutes, expected);
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
  { args: ["--minutes=-1"], message: /--minutes/ },
  { args: ["--minutes=1441"], message: /--minutes/ },
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
