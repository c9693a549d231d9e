/**
 * `deno task compile`. The runtime that goes into the binary is downloaded the first time; where that is
 * not possible the test is left out, and its name tells why.
 *
 * @module
 */

import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { makeTempDir } from "../support/temp_dir.ts";
import { run } from "./installed_program.ts";
import { pathOf } from "./project_files.ts";

const NO_DOWNLOAD = /error sending request for url \(\S*\/denort-\S*\): (.*)/;
/** Runs a binary that no permission of this test can name beforehand. */
const RUN_BINARY = "const [path, ...args] = Deno.args;" +
  "Deno.exit((await new Deno.Command(path, { args, clearEnv: true }).spawn().status).code)";

const [program, ...words] = manifest.tasks.compile.split(" ");
const config = pathOf("config.yaml");
const { compiled, version, check } = await compile();
const missing = NO_DOWNLOAD.exec(compiled.text)?.[1];

Deno.test("task compile: has the permissions of task start", () => {
  const flags = (task: string) => task.match(/--(?:allow|no-prompt)\S*/g);
  assert.deepEqual([program, words[0], words.at(-1)], ["deno", "compile", "main.ts"]);
  assert.deepEqual(flags(manifest.tasks.compile), flags(manifest.tasks.start));
});

Deno.test({
  name: "task compile: makes a binary that accepts the default configuration" +
    (missing === undefined ? "" : ` (left out: its runtime cannot be downloaded: ${missing})`),
  ignore: missing !== undefined,
  fn() {
    assert.equal(compiled.code, 0, compiled.text);
    assert.deepEqual(version, { code: 0, text: `realtime-router ${manifest.version}\n` });
    assert.deepEqual(check, { code: 0, text: `${config}: valid\n` });
  },
});

/** Does what the task does, with another place for the binary, and tries the binary. */
async function compile() {
  await using dir = await makeTempDir();
  const binary = dir.at("realtime-router");
  const args = words.with(words.indexOf("--output") + 1, binary);
  const compiled = await run(Deno.execPath(), { args, cwd: pathOf("") });
  if (compiled.code !== 0) return { compiled };
  const tried = (args: readonly string[]) =>
    run(Deno.execPath(), { args: ["eval", "--no-config", RUN_BINARY, binary, ...args] });
  return {
    compiled,
    version: await tried(["--version"]),
    check: await tried(["--config", config, "--check"]),
  };
}
