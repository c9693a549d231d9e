/**
 * `deno task console:build`: builds the page's files into `src/console/built`.
 *
 * @module
 */

import { buildConsole } from "./console/build.ts";

for (const { name, text } of await buildConsole(".")) {
  await Deno.writeTextFile(`src/console/built/${name}`, text);
  Deno.stdout.writeSync(new TextEncoder().encode(`${name} ${text.length}\n`));
}
