/**
 * Builds the files of the console that browsers load: scripts bundled by `deno bundle`, and one style sheet.
 * The same sources make the same bytes.
 *
 * @module
 */

import uplotCss from "uplot/dist/uPlot.min.css" with { type: "text" };

/** A script of the page and the module that it is made of. */
const SCRIPTS = [
  { name: "console.js", entry: "main.tsx" },
  { name: "microphone.js", entry: "audio/microphone_worklet.ts" },
] as const;
const PAGE = "src/console/page";

/** A built file. */
export interface BuiltFile {
  readonly name: string;
  readonly text: string;
}

/** Builds all files. @param root The root of the project. */
export async function buildConsole(root: string): Promise<readonly BuiltFile[]> {
  const licenses = await Deno.readTextFile(`${root}/${PAGE}/licenses.txt`);
  const notice = `/*!\n${licenses.trimEnd()}\n*/\n`;
  const scripts = await Promise.all(SCRIPTS.map(async ({ name, entry }) => ({
    name,
    text: notice + await bundle(root, `${PAGE}/${entry}`),
  })));
  const css = await Deno.readTextFile(`${root}/${PAGE}/console.css`);
  return [...scripts, { name: "console.css", text: `${notice}${uplotCss.trimEnd()}\n${css}` }];
}

async function bundle(root: string, entry: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--frozen", "--platform", "browser", "--minify", entry],
    cwd: root,
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`cannot bundle ${entry}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
