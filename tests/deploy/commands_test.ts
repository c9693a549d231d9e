/**
 * The documents as a new user reads them: every command that they show is run as it is printed, or stands in a
 * list with the reason why it is not.
 *
 * @module
 */

import assert from "node:assert/strict";
import { HELP } from "../../src/config/mod.ts";
import { neverToBeLogged } from "../support/log_watch.ts";
import { makeTempDir } from "../support/temp_dir.ts";
import { commandsOf, type ConsoleCommand, wordsOf } from "./console_blocks.ts";
import { freePort } from "../support/free_port.ts";
import { run } from "./installed_program.ts";
import { pathOf, textOf } from "./project_files.ts";
import { RunningProgram } from "./running_program.ts";

const DOCUMENTS = [
  "README.md",
  "README.ko.md",
  ...[...Deno.readDirSync(pathOf("docs"))].map(({ name }) => `docs/${name}`)
    .filter((path) => path.endsWith(".md")).toSorted(),
];
const commands = (await Promise.all(DOCUMENTS.map(commandsOf))).flat();
const DENO = /^npx --yes deno@[\d.]+ /;
const KEY = "a-key-for-the-console";

/** Commands of another document that are run there. */
const RUN_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["docs/admin-api.md", "tests/deploy/curl_test.ts"],
  ["docs/http-api.md", "tests/deploy/curl_test.ts"],
]);

/** Why a command is not run here, by how it begins. */
const NOT_RUN: readonly (readonly [begin: string, reason: string])[] = [
  ["npx --yes deno@2.9.6 task test", "is what runs the tests; .ci/run does it and sums its lines"],
  [
    "npx --yes wscat",
    "is no part of the project; tests/e2e/ws_test.ts has the library it is made of",
  ],
  ["docker ", "needs an engine; dockerfile_test.ts and compose_test.ts run what is inside"],
  ["kubectl ", "needs a cluster; kubernetes_test.ts checks the manifests against their schemas"],
  ["cd /opt/", "writes to the system; systemd_test.ts checks the unit"],
  ["install ", "writes to the system; documents_test.ts checks that the files are there"],
  ["systemctl ", "changes the system; systemd_test.ts has systemd-analyze look at the unit"],
];

/** Runs what a command runs, within the project's folder. */
type Try = (command: ConsoleCommand) => Promise<void>;

const TRIES: ReadonlyMap<string, Try> = new Map<string, Try>([
  ["task demo", async ({ command, output }) => {
    await using demo = start(command);
    await demo.wrote("Ctrl+C ends the demo.");
    assert.equal(await demo.end("SIGINT"), 0);
    const shape = (lines: readonly string[]) => lines.map(timeless).filter((line) => line !== "");
    const wrote = demo.text.split("\n").filter((line) => !line.startsWith("Task "));
    assert.deepEqual(shape(wrote), shape(output));
  }],
  ["CONSOLE_KEY=... task start --config my.yaml", async ({ command, document }) => {
    const port = freePort();
    const [yaml = ""] = /(?<=^```yaml\n)[\s\S]*?(?=^```$)/m.exec(await textOf(document)) ?? [];
    await using dir = await makeTempDir();
    const path = await dir.write("my.yaml", yaml.replace("0.0.0.0:8080", `127.0.0.1:${port}`));
    neverToBeLogged(KEY);
    await using router = start(command.replace("my.yaml", path), { CONSOLE_KEY: KEY });
    await router.wrote('"msg":"listening"');
    const statusWith = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, host: "localhost" };
      const answer = await fetch(`http://localhost:${port}/v1/models`, { headers });
      await answer.text();
      return answer.status;
    };
    assert.deepEqual([await statusWith("another"), await statusWith(KEY)], [401, 200]);
    assert.equal(await router.end("SIGTERM"), 0);
  }],
  ["task start --help", async ({ command }) => {
    const { code, text } = await run(Deno.execPath(), { args: argsOf(command), cwd: pathOf("") });
    assert.equal(code, 0);
    assert.ok(text.startsWith(HELP), text);
  }],
  [
    "run --allow-read --allow-env main.ts --config my.yaml --print-permissions",
    async ({ command }) => {
      await using dir = await makeTempDir();
      const path = await dir.write("my.yaml", await textOf("config.yaml"));
      const args = argsOf(command.replace("my.yaml", path));
      const { code, text } = await run(Deno.execPath(), { args, cwd: pathOf("") });
      assert.equal(code, 0, text);
      assert.match(text, /^(?:--allow-(?:net|read|write|env)=\S+ ?)+\n$/);
    },
  ],
]);

/** The words after Deno's name. */
function argsOf(command: string): readonly string[] {
  return wordsOf(command.replace(/^\w+=\S+ /, "").replace(DENO, ""));
}

function start(command: string, env: Readonly<Record<string, string>> = {}): RunningProgram {
  return new RunningProgram(Deno.execPath(), { args: argsOf(command), cwd: pathOf(""), env });
}

/** Without what differs from run to run: times and ports. */
function timeless(line: string): string {
  return line.replaceAll(/\d+ ms/g, "N ms").replaceAll(/:\d{4}\b/g, ":PORT")
    .replaceAll(/ +/g, " ").trim();
}

function tryOf({ command }: ConsoleCommand): Try | undefined {
  return TRIES.get(command.replace(DENO, "").replace(/(?<=^\w+=\S+ )npx --yes deno@[\d.]+ /, ""));
}

Deno.test("documents: every command is run by a test, or has a reason why not", () => {
  const left = commands.filter((command) =>
    tryOf(command) === undefined && !RUN_ELSEWHERE.has(command.document) &&
    !NOT_RUN.some(([begin]) => command.command.startsWith(begin))
  );
  assert.deepEqual(left.map(({ document, command }) => `${document}: ${command}`), []);
});

Deno.test("documents: no reason and no test is left of a command that is shown no more", () => {
  const unused = NOT_RUN.filter(([begin]) =>
    !commands.some(({ command }) => command.startsWith(begin))
  );
  assert.deepEqual(unused, []);
  const tried = commands.map(tryOf);
  assert.deepEqual([...TRIES].filter(([, test]) => !tried.includes(test)), []);
});

for (const command of commands.filter((each) => each.document !== "README.ko.md")) {
  const test = tryOf(command);
  if (test === undefined) continue;
  Deno.test(`${command.document}: works as printed: ${command.command}`, () => test(command));
}
