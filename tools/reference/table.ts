/**
 * Tables of Markdown, written as the formatter writes them.
 *
 * @module
 */

const HANGUL = /\p{Script=Hangul}/u;

/** A table: the headings, a ruler, the rows. Every column is as wide as its widest cell. */
export function markdownTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = headings.map((_, column) =>
    Math.max(3, ...[headings, ...rows].map((row) => lengthOf(row[column] ?? "")))
  );
  const ruler = widths.map((width) => "-".repeat(width));
  return [headings, ruler, ...rows].map((row) => lineOf(row, widths)).join("");
}

/** A text that stands for itself: what Markdown or HTML would take for markup is escaped. */
export function plain(text: string): string {
  return text.replaceAll(/[\\`*<|]/g, "\\$&");
}

/** A text as code. It must not hold a backtick or a bar. */
export function code(text: string): string {
  return `\`${text}\``;
}

function lineOf(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => {
    const cell = row[column] ?? "";
    return cell + " ".repeat(width - lengthOf(cell));
  });
  return `| ${cells.join(" | ")} |\n`;
}

/** In columns of a terminal, as the formatter counts them: Hangul takes two. */
function lengthOf(cell: string): number {
  return [...cell].reduce((sum, character) => sum + (HANGUL.test(character) ? 2 : 1), 0);
}
