import assert from "node:assert/strict";
import fc from "fast-check";
import { interpolate } from "../../src/config/interpolate.ts";

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ["SET", "value"],
  ["EMPTY", ""],
  ["TRICKY", "${SET} $& $1: {a"],
]);
const get = (name: string) => VARIABLES.get(name);

const REPLACED: readonly (readonly [string, string])[] = [
  ["${SET}", "value"],
  ["a-${SET}-${SET}", "a-value-value"],
  ["${EMPTY}", ""],
  ["${UNSET:-default}", "default"],
  ["${UNSET:-}", ""],
  ["${UNSET:-a:-b $x}", "a:-b $x"],
  ["${SET:-default}", "value"],
  ["${EMPTY:-default}", "default"],
  ["${TRICKY}", "${SET} $& $1: {a"],
  ["$${SET}", "${SET}"],
  ["$$${SET}", "$${SET}"],
  ["$SET $ $$ {SET} }", "$SET $ $$ {SET} }"],
  ["", ""],
];

for (const [text, expected] of REPLACED) {
  Deno.test(`interpolate: ${JSON.stringify(text)} becomes ${JSON.stringify(expected)}`, () => {
    const result = interpolate({ a: [text] }, get);
    assert.deepEqual(result.tree, { a: [expected] });
    assert.deepEqual(result.issues, []);
  });
}

const BROKEN = 'has a broken reference: write "${NAME}", or "$${" for a literal "${"';
const REFUSED: readonly (readonly [string, string])[] = [
  ["${UNSET}", "environment variable UNSET is not set and has no default"],
  ["${", BROKEN],
  ["${}", BROKEN],
  ["${SET", BROKEN],
  ["${1A}", BROKEN],
  ["${SET-x}", BROKEN],
  ["${ SET }", BROKEN],
  ["${UNSET:-${SET}}", "has a reference inside the default of UNSET"],
];

for (const [text, message] of REFUSED) {
  Deno.test(`interpolate: ${JSON.stringify(text)} is an issue with its path`, () => {
    const result = interpolate({ a: [{ b: text }] }, get);
    assert.deepEqual(result.issues, [{ path: "a[0].b", message }]);
  });
}

Deno.test("interpolate: keys and other kinds of values stay, and the tree is not changed", () => {
  const tree = { "${SET}": 1, b: [true, null, 2.5], c: { d: "${SET}" } };
  const result = interpolate(tree, get);
  assert.deepEqual(result.tree, { "${SET}": 1, b: [true, null, 2.5], c: { d: "value" } });
  assert.equal(tree.c.d, "${SET}");
});

Deno.test("interpolate: names every variable once, set or not, and every missing one", () => {
  const result = interpolate(["${SET}${A}", "${B:-x}", "${A}", "$${C}"], get);
  assert.deepEqual(result.variables, ["SET", "A", "B"]);
  assert.deepEqual(result.issues.map((issue) => issue.path), ["[0]", "[2]"]);
});

Deno.test("interpolate: two failed strings never look the same", () => {
  const { tree } = interpolate({ a: "${X}", b: "${X}" }, get);
  assert(typeof tree === "object" && tree !== null && "a" in tree && "b" in tree);
  assert.notEqual(tree.a, tree.b);
});

Deno.test("interpolate: what a variable holds is taken as it is", () => {
  fc.assert(fc.property(fc.string(), (value) => {
    assert.equal(interpolate("${X}", () => value).tree, value);
  }));
});
