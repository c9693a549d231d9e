import assert from "node:assert/strict";
import { parseConfig } from "../../src/config/mod.ts";
import {
  runtimeProblem,
  startPermissions,
  startWarnings,
  trustProblem,
} from "../../src/router/start_checks.ts";

const loaded = (yaml: string) => ({
  config: parseConfig(yaml, { get: () => undefined }),
  modelMetadata: [],
  path: "config.yaml",
  files: ["config.yaml"],
  variables: ["VOICE_KEY"],
});

const RUNTIMES = [
  ["2.9.6", true],
  ["2.9.0", true],
  ["2.10.0", true],
  ["3.0.0", true],
  ["2.8.9", false],
  ["1.46.3", false],
] as const;

Deno.test.each(RUNTIMES)("runtimeProblem() of Deno %s", (version, fine) => {
  const problem = runtimeProblem(version);
  assert.equal(problem === undefined, fine);
  if (!fine) assert.match(problem ?? "", new RegExp(`this is ${version.replaceAll(".", "\\.")}`));
});

const URLS = [
  ["http://127.0.0.1:1", undefined, true],
  ["ws://127.0.0.1:1", "mozilla", true],
  ["https://127.0.0.1:1", undefined, false],
  ["wss://127.0.0.1:1", "mozilla", false],
  ["https://127.0.0.1:1", "system", true],
  ["wss://127.0.0.1:1", "mozilla, system", true],
  ["wss://127.0.0.1:1", "systematic", false],
] as const;

Deno.test.each(URLS)("trustProblem() of %s with the store %s", (url, stores, fine) => {
  const problem = trustProblem(loaded(`backends: [{ name: voice, url: "${url}" }]`), stores);
  assert.equal(problem === undefined, fine);
  if (!fine) assert.match(problem ?? "", /^backend voice uses TLS/);
});

Deno.test("trustProblem() looks at the hub too", () => {
  const hub = (enabled: boolean) =>
    loaded(
      `control_plane: { enabled: ${enabled}, url: "https://hub.test", token: t, router_id: r }`,
    );
  assert.match(trustProblem(hub(true), undefined) ?? "", /^control_plane\.url uses TLS/);
  assert.equal(trustProblem(hub(true), "system"), undefined);
  assert.equal(trustProblem(hub(false), undefined), undefined);
});

Deno.test("startPermissions(): the sockets' paths, the files and both kinds of variables", () => {
  const flags = startPermissions(
    loaded('server: { bind_address: "127.0.0.1:8080", runtime_dir: /run/rr }'),
    { variables: ["HOME"] },
  );
  assert.deepEqual(flags, [
    "--allow-net=127.0.0.1,127.0.0.1:8080,192.0.2.1:1,unix:/run/rr/fixed/admn.sock," +
    "unix:/run/rr/fixed/dial.sock,unix:/run/rr/fixed/main.sock",
    "--allow-read=/run/rr,config.yaml",
    "--allow-write=/run/rr",
    "--allow-env=HOME,VOICE_KEY",
  ]);
});

Deno.test("startWarnings(): an enabled endpoint without a model that speaks", () => {
  const warnings = startWarnings(
    loaded("realtime: { enabled: true }\nbackends: [{ name: a, url: 'http://a', models: [text] }]"),
    { unixNowMs: 0 },
  );
  assert.ok(warnings.some(({ path }) => path === "realtime.enabled"));
});
