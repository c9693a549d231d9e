/**
 * A folder that a test removes at its end.
 *
 * @module
 */

import { join } from "node:path";

/** See the module. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
  /** Where `name` is, or would be. */
  at(name: string): string;
  /** Writes a file, readable for its owner only. Resolves to its path. */
  write(name: string, text: string): Promise<string>;
}

/** Makes a folder below the system's one for temporary files. Its name is short: sockets go below it. */
export async function makeTempDir(): Promise<TempDir> {
  const path = await Deno.makeTempDir({ prefix: "rr-" });
  return {
    path,
    at: (name) => join(path, name),
    async write(name, text) {
      const file = join(path, name);
      await Deno.writeTextFile(file, text, { mode: 0o600 });
      return file;
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
