/**
 * Files as the layout checks see them, and what they report.
 *
 * @module
 */

/** A text file of the repository. */
export interface SourceFile {
  /** Relative to the repository's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** One finding. Warnings are printed and do not fail the check. */
export interface Problem {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
  /** @default {"error"} */
  readonly level?: "error" | "warning";
}

/** A check looks at all files at once and needs nothing else. */
export type Check = (files: readonly SourceFile[]) => readonly Problem[];

const CODE_FOLDERS = new Set(["src", "demo", "tests", "bench", "tools"]);

/** Whether a file is TypeScript of this project. */
export function isCode(path: string): boolean {
  const [top = "", ...rest] = path.split("/");
  return /\.tsx?$/.test(path) && (rest.length === 0 || CODE_FOLDERS.has(top));
}

/** The line, counted from 1, on which the character at `index` stands. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/**
 * The text with its comments blanked out, so that every other character keeps its place. Made for formatted
 * code: block comments begin their line, and line comments follow a space.
 */
export function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replaceAll(/[^\n]/g, " ");
  return text
    .replaceAll(/^[ \t]*\/\*[\s\S]*?\*\//gm, blank)
    .replaceAll(/(?<=^|[ \t])\/\/.*$/gm, blank);
}
