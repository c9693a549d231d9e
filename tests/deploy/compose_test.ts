/** compose.yaml: it agrees with the image, with the configuration and with what is mounted. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { z } from "zod";
import manifest from "../../deno.json" with { type: "json" };
import { run } from "./installed_program.ts";
import { configOf, pathOf, textOf, yamlOf } from "./project_files.ts";

const serviceSchema = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()),
  stop_grace_period: z.string().optional(),
  read_only: z.boolean().default(false),
});
const compose = z.object({
  services: z.strictObject({
    router: serviceSchema,
    demo: serviceSchema,
    prometheus: serviceSchema,
    grafana: serviceSchema,
  }),
  volumes: z.record(z.string(), z.null()),
}).parse(await yamlOf("deploy/compose.yaml"));
const { router, demo } = compose.services;
const services = Object.entries(compose.services);
const config = await configOf("deploy/compose/config.yaml");

Deno.test("compose: every port is for this machine only, and none is an operator's", () => {
  const ports = services.flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
  assert.ok(ports.every(([, port]) => port?.startsWith("127.0.0.1:")));
  assert.deepEqual(router.ports, [`127.0.0.1:8080:${config.server.bind_address[0]?.port}`]);
});

Deno.test("compose: what is mounted is there, and every volume is declared", async () => {
  const sources = services.flatMap(([, { volumes }]) => volumes)
    .map((volume) => volume.split(":")[0] ?? "");
  const files = sources.filter((source) => source.startsWith("."));
  assert.ok(files.length > 5);
  for (const file of files) await Deno.stat(join(pathOf("deploy"), file));
  const names = sources.filter((source) => !source.startsWith("."));
  assert.deepEqual(names.toSorted(), Object.keys(compose.volumes).toSorted());
});

Deno.test("compose: the router has the image's folders, and the time that its drain takes", () => {
  assert.deepEqual(router.volumes, [
    "./compose/config.yaml:/etc/realtime-router/config.yaml:ro",
    "data:/app/data",
  ]);
  assert.equal(router.read_only, true);
  assert.equal(router.stop_grace_period, `${config.server.drain_timeout / 1000 + 10}s`);
  assert.equal(router.image, `realtime-router:${manifest.version}`);
});

Deno.test("compose: the demo backend is where the router looks for it", async () => {
  const version = /^deno_version=(\S+)$/m.exec(await textOf(".ci/run"))?.[1];
  assert.equal(demo.image, `denoland/deno:${version}`);
  const module = demo.command.at(-1) ?? "";
  assert.ok(demo.volumes.includes(`./demo_backend.ts:/app/${module}:ro`));
  const port = /port: ([\d_]+)/.exec(await textOf(module))?.[1]?.replace("_", "");
  assert.deepEqual(config.backends.map(({ url }) => url), [`http://demo:${port}`]);
});

Deno.test("compose: the demo backend's module is sound, and needs only what is mounted", async () => {
  const [module = ""] = demo.command.slice(-1);
  const options = ["--config", pathOf("deno.json"), pathOf(module)];
  const checked = await run(Deno.execPath(), { args: ["check", ...options] });
  assert.equal(checked.code, 0, checked.text);
  const graph = await run(Deno.execPath(), { args: ["info", "--json", ...options] });
  const root = pathOf("");
  const folders = [...graph.text.matchAll(/"file:\/\/([^"]+)"/g)]
    .flatMap(([, path = ""]) =>
      path.startsWith(root) ? [path.slice(root.length).split("/")[0]] : []
    );
  assert.deepEqual([...new Set(folders)].toSorted(), ["demo", "deploy"]);
});
