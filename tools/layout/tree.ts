/**
 * Reads the files of the repository.
 *
 * @module
 */

import { type IsIgnored, parseIgnore } from "./ignore.ts";
import type { SourceFile } from "./source_file.ts";

/** Reads every text file below `root` that git does not ignore, in the order of their paths. */
export async function readTree(root: string): Promise<readonly SourceFile[]> {
  const isIgnored = parseIgnore(await Deno.readTextFile(`${root}/.gitignore`));
  const files: SourceFile[] = [];
  for await (const path of pathsBelow(root, { folder: "", isIgnored })) {
    const bytes = await Deno.readFile(`${root}/${path}`);
    if (!bytes.includes(0)) files.push({ path, text: new TextDecoder().decode(bytes) });
  }
  return files.sort((a, b) => a.path < b.path ? -1 : 1);
}

async function* pathsBelow(
  root: string,
  { folder, isIgnored }: { readonly folder: string; readonly isIgnored: IsIgnored },
): AsyncGenerator<string> {
  for await (const { name, isDirectory, isFile } of Deno.readDir(`${root}/${folder}`)) {
    const path = folder + name;
    if (isDirectory && !isIgnored(`${path}/`)) {
      yield* pathsBelow(root, { folder: `${path}/`, isIgnored });
    }
    if (isFile && !isIgnored(path)) yield path;
  }
}
