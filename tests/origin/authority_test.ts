import assert from "node:assert/strict";
import { parseAuthority, sameAuthority } from "../../src/origin/mod.ts";

Deno.test.each(
  [
    ["a.test", { host: "a.test", port: null }],
    ["A.Test:8080", { host: "a.test", port: 8080 }],
    ["127.0.0.1:80", { host: "127.0.0.1", port: 80 }],
    ["[::1]:8080", { host: "[::1]", port: 8080 }],
    ["[::ffff:127.0.0.1]", { host: "[::ffff:7f00:1]", port: null }],
    ["::1", null],
    ["a.test:", null],
    ["a.test:x", null],
    ["a.test/", null],
    ["u@a.test", null],
    ["a.test b.test", null],
    ["a.test, b.test", null],
    ["", null],
    [":80", null],
    ["10.0.0", null],
  ] as const,
)("parseAuthority(%j)", (text, expected) => {
  assert.deepEqual(parseAuthority(text), expected);
});

Deno.test.each(
  [
    ["a.test", "a.test", true],
    ["a.test", "A.TEST", true],
    ["a.test:80", "a.test", true],
    ["a.test:443", "a.test", true],
    ["a.test:80", "a.test:443", true],
    ["a.test:8080", "a.test:8080", true],
    ["a.test:8080", "a.test", false],
    ["a.test:8080", "a.test:8081", false],
    ["a.test", "b.test", false],
    ["a.test", "a.test.", false],
    ["a.test", "xa.test", false],
    ["[::1]", "[0:0::1]:80", true],
    ["[::1]", "127.0.0.1", false],
  ] as const,
)("sameAuthority(%s, %s) is %s", (a, b, expected) => {
  const [left, right] = [parseAuthority(a), parseAuthority(b)];
  assert.ok(left !== null && right !== null);
  assert.equal(sameAuthority(left, right), expected);
});
