/**
 * The part of `.gitignore` that this project uses: folders (`dist/`), file names (`*.db`) and paths with
 * wildcards (`bench/results/*.local.*`).
 *
 * @module
 */

/** Whether git leaves a path out. Folders are asked about with a slash at their end. */
export type IsIgnored = (path: string) => boolean;

/** Git's own folder, which it never tracks; in a further worktree it is a file. */
const ALWAYS = [".git/", ".git"];

/** Reads the text of a `.gitignore`. Its exceptions (`!name`) are not understood. */
export function parseIgnore(text: string): IsIgnored {
  const lines = text.split("\n").map((line) => line.trim());
  const patterns = [...ALWAYS, ...lines.filter((line) => line !== "" && !line.startsWith("#"))]
    .map(toPattern);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** A pattern with a slash before its end is tied to the root, any other matches at every depth. */
function toPattern(line: string): RegExp {
  const atRoot = line.slice(0, -1).includes("/");
  const body = line.replace(/^\//, "").split("*").map(RegExp.escape).join("[^/]*");
  return new RegExp(`${atRoot ? "^" : "(?:^|/)"}${body}$`);
}
