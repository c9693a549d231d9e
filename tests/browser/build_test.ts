import assert from "node:assert/strict";
import { consoleAssets } from "../../src/console/mod.ts";
import { buildConsole } from "../../tools/console/build.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

Deno.test("src/console/built: is what deno task console:build makes of the sources", async () => {
  const built = await buildConsole(ROOT);
  assert.equal(built.length, 3);
  for (const { name, text } of built) {
    const served = consoleAssets.find(({ path }) => path === `/console/${name}`);
    assert.ok(served?.text === text, `${name} is stale: run deno task console:build`);
  }
});
