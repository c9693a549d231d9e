import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { configWarnings, HELP, parseConfig } from "../../src/config/mod.ts";
import { hasAudioModel } from "../../src/router/mod.ts";
import { blocksOf, rowsOf, sectionOf, textOf } from "./markdown.ts";

const README = await textOf("README.md");

Deno.test("README: the configuration is valid, without a warning", () => {
  const [block = ""] = blocksOf(README, "yaml");
  const config = parseConfig(block, { get: () => "a-key-for-the-console" });
  assert.equal(config.backends[0]?.name, "voicechat");
  assert.deepEqual(
    configWarnings(config, {
      hasAudioModel: () => hasAudioModel(config, { modelMetadata: [] }),
      now: 0,
    }),
    [],
  );
});

Deno.test("README: the configuration has at most 15 lines", () => {
  const [block = ""] = blocksOf(README, "yaml");
  assert.ok(block.trimEnd().split("\n").length <= 15);
});

Deno.test("README: lists exactly the packages of deno.json, with their versions", () => {
  const listed = rowsOf(sectionOf(README, "## Dependencies"))
    .map(([name, version]) => `npm:${name}@${version}`);
  assert.deepEqual(listed.toSorted(), Object.values(manifest.imports).toSorted());
});

Deno.test("README: lists exactly the options of --help", () => {
  const listed = sectionOf(README, "## Command line").match(/^\| `--.*$/gm)?.join("\n") ?? "";
  const options = (text: string) => [...new Set(text.match(/--[a-z]+(?:-[a-z]+)*/g))].toSorted();
  assert.deepEqual(options(listed), options(HELP));
});

Deno.test("README: names only tasks that deno.json has", () => {
  const named = [...README.matchAll(/\btask ([a-z]+(?::[a-z]+)*)/g)].map(([, name]) => name ?? "");
  assert.ok(named.includes("demo") && named.includes("test"));
  const missing = named.filter((name) => !Object.hasOwn(manifest.tasks, name));
  assert.deepEqual(missing, []);
});
