import assert from "node:assert/strict";
import { DOCUMENTS, rowsOf, sectionOf, textOf } from "./markdown.ts";

const ROOT = new URL("../../", import.meta.url);

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(new URL(path, ROOT)).then(() => true, () => false);
}

Deno.test.each(DOCUMENTS.map((path) => ({ path })))(
  "$path: every link to a file leads somewhere",
  async ({ path }) => {
    const links = [...(await textOf(path)).matchAll(/\]\(([^):#]+)\)/g)].map(([, to]) => to ?? "");
    const targets = links.map((to) =>
      new URL(to, new URL(path, ROOT)).href.slice(ROOT.href.length)
    );
    const broken = await Promise.all(targets.map(async (to) => await exists(to) ? [] : [to]));
    assert.deepEqual(broken.flat(), []);
  },
);

Deno.test("documents and .ci/run: all name the same version of Deno", async () => {
  const documents = await Promise.all(DOCUMENTS.map(textOf));
  const named = documents.flatMap((text) => text.match(/(?<=deno@)\d+\.\d+\.\d+/g) ?? []);
  const script = /^deno_version=(\S+)$/m.exec(await textOf(".ci/run"))?.[1];
  assert.deepEqual([...new Set(named)], [script]);
});

Deno.test("ARCHITECTURE.md: has exactly the rooms of src", async () => {
  const listed = rowsOf(sectionOf(await textOf("ARCHITECTURE.md"), "## Rooms")).map(([room]) =>
    room
  );
  const folders = await Array.fromAsync(Deno.readDir(new URL("src/", ROOT)));
  assert.deepEqual(listed.toSorted(), folders.map(({ name }) => `src/${name}`).toSorted());
});
