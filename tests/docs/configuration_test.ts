import assert from "node:assert/strict";
import { listFields } from "../../src/config/mod.ts";
import { configurationReference } from "../../tools/reference/configuration.ts";
import { ENGLISH } from "../../tools/reference/english.ts";
import { KOREAN_DESCRIPTIONS } from "../../tools/reference/korean/descriptions.ts";
import { KOREAN } from "../../tools/reference/korean/mod.ts";
import { textOf } from "./markdown.ts";

Deno.test.each([
  { path: "docs/configuration.md", language: ENGLISH },
  { path: "docs/configuration.ko.md", language: KOREAN },
])("$path: is what `deno task docs:config` writes", async ({ path, language }) => {
  const wanted = configurationReference(listFields(), language);
  assert.ok(wanted.includes("`realtime.idle_timeout`"));
  assert.equal(await textOf(path), wanted);
});

Deno.test("Korean descriptions: every field of the schema has one, in its order, and nothing else has", () => {
  assert.deepEqual(Object.keys(KOREAN_DESCRIPTIONS), listFields().map(({ path }) => path));
  const notKorean = Object.entries(KOREAN_DESCRIPTIONS).filter(([, text]) =>
    !/\p{Script=Hangul}.*\.$/u.test(text)
  );
  assert.deepEqual(notKorean, []);
});

/** A name, number or text that is the same in every language; a prose word is not. */
const NAMES = /\d+|"[^"]*"|\b[a-z]+(?:[_.][a-z_]+)+\b|\/[a-z0-9_/]+/g;

Deno.test("Korean descriptions: have the names and numbers of the English ones", () => {
  for (const { path, description } of listFields()) {
    const named = (text: string) => [...new Set(text.match(NAMES) ?? [])].toSorted();
    const korean = KOREAN_DESCRIPTIONS[path]?.replace("16진수", "hexadecimal") ?? "";
    assert.deepEqual(named(korean), named(description), path);
  }
});
