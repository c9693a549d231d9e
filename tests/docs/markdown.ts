/**
 * Reads the documents of the repository. Needs read permission.
 *
 * @module
 */

const ROOT = new URL("../../", import.meta.url);

/** Every document, by its path from the root. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  "README.ko.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  ...await documentsIn("docs"),
];

/** The text of a file of the repository. */
export function textOf(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

/** The section under a heading, up to the next one of any level. */
export function sectionOf(text: string, heading: string): string {
  const [, section] = text.split(`\n${heading}\n`);
  if (section === undefined) throw new Error(`no heading ${heading}`);
  return section.split(/^#/m, 1)[0] ?? "";
}

/** The cells of every row of the tables in a text, headings and rulers left out, code marks taken off. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const isHeading = /^\| -/.test(lines[index + 1] ?? "");
    if (!line.startsWith("| ") || line.startsWith("| -") || isHeading) return [];
    const cells = line.split("|").slice(1, -1).map((cell) => cell.trim());
    return [cells.map((cell) => /^`[^`]*`$/.test(cell) ? cell.slice(1, -1) : cell)];
  });
}

/** The anchors of the headings in a text, as links name them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
    ),
  );
}

/** The contents of fenced blocks of a language. */
export function blocksOf(text: string, language: string): readonly string[] {
  const fences = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...fences].filter((match) => match[1] === language).map((match) => match[2] ?? "");
}

async function documentsIn(folder: string): Promise<readonly string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(`${folder}/`, ROOT)));
  return entries.map(({ name }) => `${folder}/${name}`)
    .filter((path) => path.endsWith(".md")).toSorted();
}
