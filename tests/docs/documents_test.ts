import assert from "node:assert/strict";
import { LOW_ROOMS } from "../../tools/layout/rooms.ts";
import { anchorsOf, DOCUMENTS, rowsOf, sectionOf, textOf } from "./markdown.ts";

const ROOT = new URL("../../", import.meta.url);

/** Whether a link of a document leads to a file and, if it names one, to a heading in it. */
async function leadsSomewhere(link: string, document: string): Promise<boolean> {
  const [file = "", anchor] = link.split("#");
  const path = file === ""
    ? document
    : new URL(file, new URL(document, ROOT)).href.slice(ROOT.href.length);
  if (anchor !== undefined) return anchorsOf(await textOf(path)).has(anchor);
  return await Deno.stat(new URL(path, ROOT)).then(() => true, () => false);
}

Deno.test.each(DOCUMENTS.map((path) => ({ path })))(
  "$path: every link to a file or heading leads somewhere",
  async ({ path }) => {
    const links = [...(await textOf(path)).matchAll(/\]\(([^):]+)\)/g)].map(([, to]) => to ?? "");
    const broken = await Promise.all(
      links.map(async (link) => await leadsSomewhere(link, path) ? [] : [link]),
    );
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

Deno.test("ARCHITECTURE.md: says which rooms a room may import, as the layout's check does", async () => {
  const rows = rowsOf(sectionOf(await textOf("ARCHITECTURE.md"), "## Rooms"));
  const listed = rows.map(([room = "", , , imports = ""]) => [
    room.replace("src/", ""),
    imports === "every room" ? undefined : imports.match(/(?<=`|^)[a-z]+(?=`|$)/g) ?? [],
  ]);
  assert.deepEqual(
    listed,
    listed.map(([room]) => [room, LOW_ROOMS.get(String(room))]),
  );
});
