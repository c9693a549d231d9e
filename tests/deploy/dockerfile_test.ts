/**
 * The Dockerfile without an engine: what it says, and that its command lines serve with its files alone.
 *
 * @module
 */

import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../deno.json" with { type: "json" };
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";
import { commandOf, type Instruction, stagesOf } from "./dockerfile.ts";
import { freePort } from "../support/free_port.ts";
import { run } from "./installed_program.ts";
import { configOf, pathOf, textOf } from "./project_files.ts";
import { RunningProgram } from "./running_program.ts";

const [build = [], image = []] = stagesOf(await textOf("Dockerfile"));
const only = (name: string): Instruction => {
  const found = image.filter((instruction) => instruction.name === name);
  assert.equal(found.length, 1, `${name} once in the last stage`);
  return found[0]!;
};
const entrypoint = commandOf(only("ENTRYPOINT").text);
const healthcheck = commandOf(only("HEALTHCHECK").text.replace(/^.*?CMD /, ""));
/** What the first stage takes from the project. */
const copied = build.filter(({ name }) => name === "COPY")
  .flatMap(({ words }) => words.slice(0, -1));

Deno.test("Dockerfile: has two stages, both of the version of Deno that the tests use", async () => {
  const version = /^deno_version=(\S+)$/m.exec(await textOf(".ci/run"))?.[1];
  const images = [build, image].map(([from]) => from?.words[0]);
  assert.deepEqual(images, [`denoland/deno:${version}`, `denoland/deno:distroless-${version}`]);
});

Deno.test("Dockerfile: runs as a user who is not root, with no shell", () => {
  assert.match(only("USER").text, /^[1-9]\d*:[1-9]\d*$/);
  assert.deepEqual(image.filter(({ name }) => ["RUN", "SHELL", "CMD"].includes(name)), []);
});

Deno.test("Dockerfile: the program belongs to root, the data to the user", () => {
  const owners = image.filter(({ name }) => name === "COPY").map(({ words }) => {
    const owner = words.find((word) => word.startsWith("--chown="))?.slice("--chown=".length);
    return [words.at(-1), owner];
  });
  assert.deepEqual(owners, [
    ["/deno-dir", undefined],
    ["/app", undefined],
    ["/app/data", only("USER").text],
  ]);
});

Deno.test("Dockerfile: the port, the signal, the volume and the trust store", async () => {
  const { server } = await configOf("config.yaml");
  assert.equal(only("EXPOSE").text, String(server.bind_address[0]?.port));
  assert.equal(only("STOPSIGNAL").text, "SIGTERM");
  assert.deepEqual(commandOf(only("VOLUME").text), ["/app/data"]);
  const variables = only("ENV").words;
  assert.ok(variables.includes("DENO_TLS_CA_STORE=system"));
  assert.ok(variables.includes("DENO_DIR=/deno-dir"));
});

Deno.test("Dockerfile: permissions are narrow, and what runs is what was built", () => {
  const permissions = (words: readonly string[]) =>
    words.filter((word) => word.startsWith("--allow") || word === "-A");
  assert.deepEqual(permissions(entrypoint), [
    "--allow-net",
    "--allow-read=/etc/realtime-router,/tmp/realtime-router,/app/data",
    "--allow-write=/tmp/realtime-router,/app/data",
    "--allow-env",
  ]);
  assert.deepEqual(permissions(healthcheck), [
    "--allow-net",
    "--allow-read=/etc/realtime-router",
    "--allow-env",
  ]);
  for (const words of [entrypoint, healthcheck]) {
    for (const flag of ["--no-prompt", "--cached-only", "--frozen"]) {
      assert.ok(words.includes(flag), flag);
    }
  }
});

Deno.test("Dockerfile: the folders it may write are those of the default configuration", async () => {
  const { server, control_plane: hub } = await configOf("config.yaml");
  const writable = entrypoint.find((word) => word.startsWith("--allow-write="))?.split("=")[1];
  assert.deepEqual(writable?.split(","), [server.runtime_dir, "/app/data"]);
  assert.equal(join(only("WORKDIR").text, hub.spool_path), "/app/data/usage.db");
});

Deno.test("Dockerfile, .dockerignore: all that is copied is there, and nothing else is sent", async () => {
  const sent = (await textOf(".dockerignore")).split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  assert.deepEqual(sent, ["*", ...[...copied].sort().map((path) => `!${path}`)]);
  for (const path of copied) await Deno.stat(pathOf(path));
});

Deno.test("Dockerfile: takes off exactly the packages that the router does not import", async () => {
  const { text } = build.find(({ text }) => text.includes("deno remove")) ?? { text: "" };
  const removed = /deno remove --lockfile-only +(.*?) *&&/.exec(text)?.[1]?.split(/ +/) ?? [];
  const graph = await run(Deno.execPath(), {
    args: ["info", "--json", "--config", pathOf("deno.json"), pathOf("main.ts")],
  });
  const used = (name: string) => graph.text.includes(`"npm:${versioned(name)}"`);
  const unused = Object.keys(manifest.imports).filter((name) => !used(name));
  assert.deepEqual(removed.toSorted(), unused.toSorted());
});

Deno.test("Dockerfile: with the copied files alone its entrypoint accepts the default configuration", async () => {
  await using dir = await makeImage(await textOf("config.yaml"));
  const { code, text } = await run(Deno.execPath(), {
    args: [...inside(dir, entrypoint), "--check"],
    cwd: dir.at("app"),
  });
  assert.deepEqual([code, text], [0, `${dir.at("etc/config.yaml")}: valid\n`]);
});

Deno.test("Dockerfile: the entrypoint serves, the health check finds it, SIGTERM ends it", async () => {
  const port = freePort();
  await using dir = await makeImage(
    `server: { bind_address: "127.0.0.1:${port}", ` +
      `allowed_hosts: [localhost], runtime_dir: "RUNTIME_DIR" }\n` +
      "logging: { level: trace }\n",
  );
  const check = () => run(Deno.execPath(), { args: inside(dir, healthcheck), cwd: dir.at("app") });
  assert.deepEqual(await check(), { code: 1, text: "" });

  await using router = new RunningProgram(Deno.execPath(), {
    args: inside(dir, entrypoint),
    cwd: dir.at("app"),
  });
  await router.wrote('"msg":"listening"');
  assert.deepEqual(await check(), { code: 0, text: "" });
  assert.equal(await router.end("SIGTERM"), 0);
  assert.deepEqual(await check(), { code: 1, text: "" });
});

/** `zod` as `zod@4.6.7`. */
function versioned(name: string): string {
  const specifier = Object.entries(manifest.imports).find(([key]) => key === name)?.[1];
  return specifier?.slice("npm:".length) ?? name;
}

/** The files of the image's last stage below a folder. */
async function makeImage(config: string): Promise<TempDir> {
  const dir = await makeTempDir();
  for (const path of copied) await cp(pathOf(path), dir.at(`app/${path}`), { recursive: true });
  for (const folder of ["etc", "app/data"]) await Deno.mkdir(dir.at(folder));
  await dir.write("etc/config.yaml", config.replace("RUNTIME_DIR", dir.at("run")));
  return dir;
}

/** A command line of the image, less its program, with the image's folders where they are now. */
function inside(dir: TempDir, [program, ...words]: readonly string[]): readonly string[] {
  assert.equal(program, "/bin/deno");
  return words.map((word) =>
    word.replaceAll("/etc/realtime-router", dir.at("etc"))
      .replaceAll("/tmp/realtime-router", dir.at("run"))
      .replaceAll("/app", dir.at("app"))
  );
}
