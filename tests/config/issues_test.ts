import assert from "node:assert/strict";
import {
  ConfigError,
  isPlainName,
  issueLine,
  kindOf,
  pathText,
  refusal,
} from "../../src/config/issues.ts";

Deno.test("issueLine: leaves out what is not known", () => {
  assert.equal(issueLine({ path: "a.b", message: "m", file: "f" }), "f: a.b: m");
  assert.equal(issueLine({ path: "", message: "m", file: "f" }), "f: m");
  assert.equal(issueLine({ path: "", message: "m" }), "m");
});

Deno.test("ConfigError: has a line for every issue", () => {
  const error = new ConfigError([{ path: "a", message: "x" }, { path: "b", message: "y" }]);
  assert.equal(error.message, "a: x\nb: y");
  assert.equal(error.issues.length, 2);
});

Deno.test("pathText: writes keys and indexes, and hides keys that are no names", () => {
  assert.equal(pathText(["backends", 0, "headers", "X-Team-2"]), "backends[0].headers.X-Team-2");
  assert.equal(pathText(["a", "key:sk-12"]), "a.*");
  assert.equal(pathText([]), "");
});

const NAMES: readonly (readonly [string, boolean])[] = [
  ["idle_timeout", true],
  ["key_sha256", true],
  ["gpu1-a.b", true],
  ["sk-a8Kd93kdA0", false],
  ["key:sk", false],
  ["a".repeat(41), false],
  ["4f8a", false],
  ["a\nb", false],
  ["", false],
];

for (const [name, expected] of NAMES) {
  Deno.test(`isPlainName: ${JSON.stringify(name.slice(0, 20))} is ${expected}`, () => {
    assert.equal(isPlainName(name), expected);
  });
}

const KINDS: readonly (readonly [unknown, string])[] = [
  [null, "nothing (null)"],
  ["", "an empty string"],
  ["x", "a string"],
  [1, "a number"],
  [true, "a boolean"],
  [[], "a list"],
  [{}, "a mapping"],
];

for (const [value, kind] of KINDS) {
  Deno.test(`kindOf: ${JSON.stringify(value)} is ${kind}`, () => assert.equal(kindOf(value), kind));
}

Deno.test("refusal: names what is allowed and the kind, or that the value is missing", () => {
  assert.equal(refusal("a list", "secret"), "must be a list; found a string");
  assert.equal(refusal("a list", undefined), "is required: write a list");
  assert.equal(refusal("a list", 0, { found: "found zero" }), "must be a list; found zero");
});
