import assert from "node:assert/strict";
import { nearest } from "../../src/config/suggest.ts";

const KNOWN = ["idle_timeout", "handshake_timeout", "enabled", "name"];

const CASES: readonly (readonly [string, string | undefined])[] = [
  ["idle_timout", "idle_timeout"],
  ["idle-timeout", "idle_timeout"],
  ["IdleTimeout", "idle_timeout"],
  ["enable", "enabled"],
  ["nme", "name"],
  ["colour", undefined],
  ["", undefined],
  ["x".repeat(100_000), undefined],
];

for (const [word, expected] of CASES) {
  Deno.test(`nearest: ${JSON.stringify(word.slice(0, 20))} suggests ${expected}`, () => {
    assert.equal(nearest(word, KNOWN), expected);
  });
}

Deno.test("nearest: a known word is its own suggestion, and nothing is suggested from nothing", () => {
  for (const word of KNOWN) assert.equal(nearest(word, KNOWN), word);
  assert.equal(nearest("enabled", []), undefined);
});
