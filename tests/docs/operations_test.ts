import assert from "node:assert/strict";
import { listFields } from "../../src/config/mod.ts";
import { rowsOf, sectionOf, textOf } from "./markdown.ts";

const PAGE = await textOf("docs/operations.md");
const ROOT = new URL("../../", import.meta.url);

/** Every source file of the program. */
async function sources(): Promise<readonly string[]> {
  const folders = await Array.fromAsync(Deno.readDir(new URL("src/", ROOT)));
  const paths = await Promise.all(folders.map(async ({ name }) => {
    const files = await Array.fromAsync(Deno.readDir(new URL(`src/${name}/`, ROOT)));
    return files.filter((file) => file.isFile).map((file) => `src/${name}/${file.name}`);
  }));
  return await Promise.all(["main.ts", ...paths.flat()].map(textOf));
}

Deno.test("operations.md: lists exactly what the program logs", async () => {
  const calls = /(?:\blog|logOf\("\w+"\))(?:\.(\w+)|\[level\])\(\s*"([^"]+)"/g;
  const logged = (await sources()).flatMap((text) =>
    [...text.matchAll(calls)].map(([, level = "info", message]) => `${level} ${message}`)
  );
  assert.ok(logged.length > 30);
  const listed = rowsOf(sectionOf(PAGE, "## The log"))
    // Its text is the warning's own.
    .filter(([, , message]) => message !== "the warning")
    .map(([level, , message]) => `${level} ${message}`);
  assert.deepEqual(listed.toSorted(), logged.toSorted());
});

Deno.test("operations.md: names the sections of each reload class", () => {
  const rows = new Map(rowsOf(sectionOf(PAGE, "## Reload")).map(([name, what]) => [name, what]));
  for (const { path, reload } of listFields()) {
    const [section = "", field = ""] = path.split(/[.[]/);
    const named = rows.get(reload)?.includes(`\`${section}\``) ||
      rows.get(reload)?.includes(`\`${section}.${field}\``);
    assert.ok(named, `${path} is ${reload}`);
  }
});

Deno.test("operations.md: has every state of health with its number", async () => {
  const source = await textOf("src/observability/backend_metrics.ts");
  const numbers = /const HEALTH = \{([^}]*)\}/.exec(source)?.[1] ?? "";
  const states = [...numbers.matchAll(/(\w+): (\d)/g)].map(([, name, number]) => [name, number]);
  const listed = rowsOf(sectionOf(PAGE, "## Health")).map(([name, number]) => [name, number]);
  assert.deepEqual(listed, states);
});
