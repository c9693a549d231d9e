/**
 * Texts that belong to one machine: paths of its folders and addresses of the registry that it uses.
 *
 * @module
 */

import { lineAt, type Problem, type SourceFile } from "./source_file.ts";

const MACHINE_PATH = /(?<![\w.~-])\/(?:work|root|home)(?![\w-])/g;
const REGISTRY = /npm[j]s|jsr[.]io/gi;
/** Deno writes the address of a package only when it comes from another registry than the usual one. */
const LOCKED_ADDRESS = /https?:\/\//g;

/** Such texts, in any file. */
export function checkPrivateText(files: readonly SourceFile[]): readonly Problem[] {
  return files.flatMap((file) => [
    ...matches(file, { pattern: MACHINE_PATH, message: "a path of one machine" }),
    ...matches(file, { pattern: REGISTRY, message: "the address of a package registry" }),
    ...file.path === "deno.lock"
      ? matches(file, { pattern: LOCKED_ADDRESS, message: "the address of a package registry" })
      : [],
  ]);
}

function matches(
  { path, text }: SourceFile,
  { pattern, message }: { readonly pattern: RegExp; readonly message: string },
): readonly Problem[] {
  return [...text.matchAll(pattern)].map(({ index }) => ({
    path,
    line: lineAt(text, index),
    message,
  }));
}
