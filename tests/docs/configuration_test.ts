import assert from "node:assert/strict";
import { listFields } from "../../src/config/mod.ts";
import { configurationReference } from "../../tools/reference/configuration.ts";
import { textOf } from "./markdown.ts";

Deno.test("configuration.md: is what tools/config_reference.ts prints", async () => {
  const wanted = configurationReference(listFields());
  assert.ok(wanted.includes("`realtime.idle_timeout`"));
  assert.equal(await textOf("docs/configuration.md"), wanted);
});
