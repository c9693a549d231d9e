/**
 * `deno task layout`: prints every problem of the repository's layout as `path:line message` and exits 1
 * if there is one that is not only a warning.
 *
 * @module
 */

import { checkLayout, problemLine, readTree } from "./layout/mod.ts";

const files = await readTree(".");
const problems = checkLayout(files);
const errors = problems.filter(({ level }) => level !== "warning");
const lines = [
  ...problems.map(problemLine),
  `layout: ${files.length} files, ${errors.length} problems`,
];
Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
if (errors.length > 0) Deno.exit(1);
