/**
 * Markdown as the formatter of this repository writes it.
 *
 * @module
 */

const LINE_WIDTH = 100;

/** A table whose columns are as wide as their widest cells. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const width = (column: number) =>
    Math.max(3, ...[headings, ...rows].map((row) => [...row[column] ?? ""].length));
  const widths = headings.map((_, column) => width(column));
  const line = (row: readonly string[]) =>
    `| ${widths.map((wide, column) => (row[column] ?? "").padEnd(wide)).join(" | ")} |\n`;
  return [headings, widths.map((wide) => "-".repeat(wide)), ...rows].map(line).join("");
}

/** A paragraph, or an item of a list, broken into lines. */
export function paragraph(text: string, { indent = "" } = {}): string {
  const lines: string[] = [];
  // A code span stays on its line.
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const line = lines.at(-1);
    const longer = line === undefined ? undefined : `${line} ${word}`;
    if (longer !== undefined && longer.length <= LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(line === undefined ? word : indent + word);
  }
  return `${lines.join("\n")}\n`;
}

/** A list with a dash before each item. */
export function list(items: readonly string[]): string {
  return items.map((item) => paragraph(`- ${item}`, { indent: "  " })).join("");
}
