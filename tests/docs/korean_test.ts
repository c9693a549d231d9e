/** The Korean pages say what the English ones say: whatever is the same in every language is in both. */

import assert from "node:assert/strict";
import { DOCUMENTS, textOf } from "./markdown.ts";

const FENCE = /^```.*\n[\s\S]*?^```$/gm;
const TABLE_ROW = /^\|.*\|$/gm;

/** The English page of a Korean one. */
const PAGES = DOCUMENTS.filter((path) => path.endsWith(".ko.md"))
  .map((korean) => ({ korean, english: korean.replace(".ko.md", ".md") }));

/** What a section has in common with its translation. */
interface Section {
  readonly heading: number;
  readonly blocks: readonly string[];
  /** Of tables: the cells that are only code, a number or empty; of others `null`. */
  readonly cells: readonly (readonly (string | null)[])[];
  readonly codes: readonly string[];
  readonly numbers: readonly string[];
  readonly links: readonly string[];
}

/** The sections of a page, the one before its first heading included. */
function sectionsOf(page: string): readonly Section[] {
  const blocks: string[] = [];
  const prose = page.replaceAll(FENCE, (block) => `⟦${blocks.push(block) - 1}⟧`);
  return prose.split(/^(?=#)/m).map((section) => ({
    heading: /^#*/.exec(section)?.[0].length ?? 0,
    blocks: [...section.matchAll(/⟦(\d+)⟧/g)].map(([, at]) => blocks[Number(at)] ?? ""),
    cells: (section.match(TABLE_ROW) ?? []).slice(2).map(commonCells),
    codes: distinct(section.matchAll(/`([^`]+)`/g)),
    numbers: distinct(
      numbersAsWords(section.replaceAll(/`[^`]+`|⟦\d+⟧|\]\([^)]*\)/g, ""))
        .matchAll(/(\d[\d.,]*\d|\d)/g),
    ),
    links: distinct(section.replaceAll(".ko.md", ".md").matchAll(/\]\(([^)]+)\)/g)),
  }));
}

/** Korean has a number in the word for hexadecimal, English a word for zero. */
function numbersAsWords(text: string): string {
  return text.replaceAll("16진수", "hexadecimal").replaceAll("0보다 긴", "above zero");
}

function commonCells(row: string): readonly (string | null)[] {
  return row.split("|").slice(1, -1).map((cell) => cell.trim())
    .map((cell) => /^(?:`[^`]*`|[\d.]*)(?:, `[^`]*`)*$/.test(cell) ? cell : null);
}

function distinct(matches: Iterable<RegExpMatchArray>): readonly string[] {
  return [...new Set([...matches].map(([, found = ""]) => found))].toSorted();
}

Deno.test("Korean pages: there are those of the README, the configuration and the endpoint", () => {
  assert.deepEqual(PAGES.map(({ korean }) => korean), [
    "README.ko.md",
    "docs/configuration.ko.md",
    "docs/realtime-api.ko.md",
  ]);
});

Deno.test.each(PAGES)(
  "$korean: has the sections, code, tables, numbers and links of $english",
  async ({ korean, english }) => {
    const [translated, original] = await Promise.all(
      [korean, english].map(async (path) => sectionsOf(await textOf(path))),
    );
    assert.ok(original !== undefined && original.length > 5);
    assert.equal(translated?.length, original.length);
    for (const [at, section] of original.entries()) {
      assert.deepEqual(translated[at], section, `section ${at} of ${korean}`);
    }
  },
);

Deno.test.each(PAGES)("$korean: is Korean, and each page leads to the other", async (pages) => {
  const [korean, english] = await Promise.all([textOf(pages.korean), textOf(pages.english)]);
  const name = (path: string) => path.split("/").at(-1);
  assert.ok(korean.includes(`\n[English](${name(pages.english)})\n`));
  assert.ok(english.includes(`\n[한국어](${name(pages.korean)})\n`));
  const prose = korean.replaceAll(FENCE, "").replaceAll(TABLE_ROW, "").split(/\n\n+/)
    .filter((paragraph) => /[a-z]{4}.*[a-z]{4}/.test(paragraph.replaceAll(/`[^`]*`/g, "")));
  const untranslated = prose.filter((paragraph) =>
    !/\p{Script=Hangul}/u.test(paragraph) && !paragraph.startsWith("[") &&
    !paragraph.startsWith("**`") && !paragraph.startsWith("<!--") && !paragraph.startsWith("#")
  );
  assert.deepEqual(untranslated, []);
});
