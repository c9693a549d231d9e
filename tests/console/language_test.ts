import assert from "node:assert/strict";
import { en } from "../../src/console/page/i18n/en.ts";
import {
  chooseLanguage,
  formatSpan,
  LANGUAGES,
  Speech,
} from "../../src/console/page/i18n/language.ts";

const words = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

Deno.test("every language has every text, with the same words to replace", () => {
  for (const [tag, { texts }] of Object.entries(LANGUAGES)) {
    assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(en).toSorted(), tag);
    for (const [key, text] of Object.entries(en)) {
      const other: string = texts[key as keyof typeof en];
      assert.notEqual(other.trim(), "", `${tag} ${key}`);
      assert.deepEqual(words(other), words(text), `${tag} ${key}`);
    }
  }
});

Deno.test("the Korean texts are Korean", () => {
  const same = Object.entries(en).filter(([key, text]) =>
    LANGUAGES.ko.texts[key as keyof typeof en] === text
  );
  assert.deepEqual(same.map(([key]) => key), ["figures.p95", "plots.p95"]);
});

Deno.test("chooseLanguage() takes the first language that there is", () => {
  assert.equal(chooseLanguage(["fr", "ko-KR", "en"]), "ko");
  assert.equal(chooseLanguage(["EN-us"]), "en");
  assert.equal(chooseLanguage(["constructor", "de"]), "en");
  assert.equal(chooseLanguage([]), "en");
});

Deno.test("Speech replaces the words in braces, whatever stands in their values", () => {
  const speech = new Speech("en");
  const text = speech.text("sessions.endText", { id: "$& {model}", model: "m" });
  assert.ok(text.startsWith("Session $& {model} (m) is ended"), text);
});

Deno.test("Speech writes numbers for people", () => {
  const speech = new Speech("en");
  assert.deepEqual([speech.count(12_345.6), speech.rate(1.26), speech.rate(1_234.5)], [
    "12,346",
    "1.3",
    "1,235",
  ]);
  assert.deepEqual([0, 1_023, 1_536, 5_000_000].map((bytes) => speech.bytes(bytes)), [
    "0 B",
    "1,023 B",
    "1.5 KB",
    "4.8 MB",
  ]);
  assert.deepEqual([0.4, 9_999, 12_345].map((ms) => speech.milliseconds(ms)), [
    "0 ms",
    "9,999 ms",
    "12.3 s",
  ]);
});

Deno.test.each(
  [
    [-1, "0s"],
    [59.9, "59s"],
    [65, "1m 05s"],
    [3_600, "1h 00m"],
    [172_800, "2d 00h"],
  ] as const,
)("formatSpan(%d) is %s", (seconds, text) => assert.equal(formatSpan(seconds), text));
