import assert from "node:assert/strict";
import { parseConfig } from "../../src/config/mod.ts";
import { blocksOf, textOf } from "./markdown.ts";

const PAGE = await textOf("docs/console.md");

Deno.test("console.md: the configuration is valid and turns the console on", () => {
  const [block = "", ...more] = blocksOf(PAGE, "yaml");
  const config = parseConfig(block, { get: () => "a-token" });
  assert.deepEqual([config.console.enabled, config.admin.auth.method, more], [
    true,
    "bearer_token",
    [],
  ]);
});
