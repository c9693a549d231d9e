/**
 * The program's command line: what it prints, where, and its exit codes (spec §14).
 *
 * Permissions: net, read and write below the folder for temporary files, run for Deno itself, env for the
 * two variables of npm `ws` and those of Deno's cache.
 *
 * @module
 */

import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { startDemoBackend } from "../../demo/mod.ts";
import { NativeClient } from "../support/native_client.ts";
import { runProgram } from "../support/program.ts";
import { routerPermissions, serverSection, startRouterProcess } from "../support/router_process.ts";
import { makeTempDir, type TempDir } from "../support/temp_dir.ts";

const SECRETS = ["sk-one-4711", "sk-two-4711", "sk-three-4711", "sk-four-4711"] as const;

Deno.test("--version: prints the manifest's version, with no permission at all", async () => {
  assert.deepEqual(await runProgram({ args: ["--version"] }), {
    code: 0,
    signal: null,
    stdout: `realtime-router ${manifest.version}\n`,
    stderr: "",
  });
});

Deno.test("--help: lists every option, with no permission at all", async () => {
  const { code, stdout, stderr } = await runProgram({ args: ["--help"] });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const options = [...stdout.matchAll(/^ +(--[a-z-]+)/gm)].map(([, option]) => option);
  assert.deepEqual(options, [
    "--config",
    "--check",
    "--print-config",
    "--print-permissions",
    "--healthcheck",
    "--version",
    "--help",
  ]);
});

Deno.test.each([
  { args: ["--chekc"], message: /'--chekc'/ },
  { args: ["--check", "--print-config"], message: /--check and --print-config/ },
  { args: ["config.yaml"], message: /config\.yaml/ },
])("usage error: $args is exit 2 and one line on standard error", async ({ args, message }) => {
  const { code, stdout, stderr } = await runProgram({ args });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  assert.match(stderr, /^realtime-router: [^\n]+\n$/);
  assert.match(stderr, message);
});

Deno.test("--check: says that a good file is valid, and exits 0", async () => {
  await using dir = await makeTempDir();
  const { path, code, stdout, stderr } = await runWith(dir, {
    action: "--check",
    yaml: goodYaml(dir),
    env: { VOICE_KEY: SECRETS[2] },
  });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const [first, ...warnings] = stdout.split("\n");
  assert.equal(first, `${path}: valid`);
  assert.match(warnings[0] ?? "", /^server\.allowed_hosts: /);
  assert.equal(warnings.at(-1), "", "the last line is ended too");
  assertNoSecret(stdout);
});

Deno.test.each(["--check", "--print-config", "--print-permissions", "--healthcheck", null])(
  "%s: with a bad file is exit 2, names the paths, and prints no secret",
  async (action) => {
    await using dir = await makeTempDir();
    const { path, code, stdout, stderr } = await runWith(dir, {
      action,
      yaml: `
${serverSection(dir)}
realtime: { enabled: true, idle_timeout: 60, max_sesions: 3 }
api_keys:
  api_keys:
    - { id: one, key: ${SECRETS[0]}, rate_limit: ${SECRETS[1]} }
    - { id: two, key: ${SECRETS[0]} }
    - { id: three, key: "\${NOT_SET}" }
backends:
  - { name: b, url: "http://user:${SECRETS[2]}@127.0.0.1:1" }
`,
    });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    for (
      const field of [
        "realtime.idle_timeout",
        "realtime.max_sesions",
        "api_keys.api_keys[0].rate_limit",
        "api_keys.api_keys[2].key",
        "backends[0].url",
      ]
    ) {
      assert.ok(stderr.includes(`${path}: ${field}: `), `${field} in ${stderr}`);
    }
    assert.match(stderr, /NOT_SET/);
    assertNoSecret(stderr);
  },
);

Deno.test("a start with one fault in the file is exit 2 and one line that names it", async () => {
  await using dir = await makeTempDir();
  const yaml = `${serverSection(dir)}\nrealtime: { idle_timeout: 60 }\n`;
  const { path, code, stdout, stderr } = await runWith(dir, { action: null, yaml });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  assert.match(stderr, /^[^\n]+\n$/);
  assert.ok(stderr.startsWith(`realtime-router: ${path}: realtime.idle_timeout: must be `), stderr);
  assert.deepEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name), ["config.yaml"]);
});

Deno.test("--config: with a file that does not exist is exit 2 and names it", async () => {
  await using dir = await makeTempDir();
  const path = dir.at("nowhere.yaml");
  const { code, stderr } = await runProgram({
    args: ["--config", path],
    permissions: routerPermissions(dir),
  });
  assert.equal(code, 2);
  assert.equal(stderr, `realtime-router: ${path}: does not exist\n`);
});

Deno.test("--check: with a variable that --allow-env does not cover is exit 2 and names both", async () => {
  await using dir = await makeTempDir();
  const path = await dir.write("config.yaml", goodYaml(dir));
  const { code, stdout, stderr } = await runProgram({
    args: ["--config", path, "--check"],
    permissions: routerPermissions(dir),
    env: { VOICE_KEY: SECRETS[2] },
  });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  assert.match(
    stderr,
    /^realtime-router: [^\n]+: backends\[0\]\.api_key: [^\n]*VOICE_KEY[^\n]*\n$/,
  );
  assert.match(stderr, /--allow-env/);
});

Deno.test("--print-config: fills in the defaults and masks every secret", async () => {
  await using dir = await makeTempDir();
  const { code, stdout, stderr } = await runWith(dir, {
    action: "--print-config",
    yaml: goodYaml(dir),
    env: { VOICE_KEY: SECRETS[2] },
  });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.match(stdout, /^ {2}max_sessions: 256$/m);
  assert.match(stdout, /^ {2}idle_timeout: 1m30s$/m);
  assert.equal(stdout.match(/'?\*\*\*'?/g)?.length, SECRETS.length);
  assertNoSecret(stdout);
});

Deno.test("--print-permissions: prints flags that are enough to serve a session", async () => {
  await using dir = await makeTempDir();
  await using backend = await startDemoBackend({ speed: 50 });
  const yaml = goodYaml(dir, `http://localhost:${backend.port}`);
  const env = { VOICE_KEY: SECRETS[2] };
  const { code, stdout, stderr } = await runWith(dir, { action: "--print-permissions", yaml, env });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const permissions = stdout.trim().split(" ");
  assert.ok(permissions.every((flag) => /^--allow-(net|read|write|env)=./.test(flag)), stdout);

  await using router = await startRouterProcess(dir, { yaml, permissions, env });
  await using client = await NativeClient.open(
    `ws://127.0.0.1:${router.port}/v1/realtime?model=demo-voice`,
  );
  await client.textTurn();
  assert.equal(backend.upgrades[0]?.headers.get("authorization"), `Bearer ${SECRETS[2]}`);
  assert.equal((await router.program.end()).code, 0);
});

Deno.test("--print-permissions: a path that no flag can name is exit 2 and one line", async () => {
  await using dir = await makeTempDir();
  const yaml = serverSection(dir).replace(dir.at("run"), dir.at("one,two"));
  const { code, stdout, stderr } = await runWith(dir, { action: "--print-permissions", yaml });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  assert.match(stderr, /^realtime-router: a path with a comma cannot be given to --allow-\w+\n$/);
});

Deno.test("--healthcheck: is exit 0 while the router answers, and 1 when something else is there", async () => {
  await using dir = await makeTempDir();
  const env = { VOICE_KEY: SECRETS[2] };
  const permissions = [...routerPermissions(dir), "--allow-env=VOICE_KEY"];
  await using router = await startRouterProcess(dir, { yaml: goodYaml(dir), permissions, env });
  const check = (port: number) =>
    runWith(dir, {
      action: "--healthcheck",
      yaml: goodYaml(dir).replace("127.0.0.1:0", `127.0.0.1:${port}`),
      env,
    });
  const healthy = await check(router.port);
  assert.deepEqual([healthy.code, healthy.stdout, healthy.stderr], [0, "", ""]);

  using stranger = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const [unhealthy] = await Promise.all([
    check(stranger.addr.port),
    stranger.accept().then((conn) => conn.close()),
  ]);
  assert.deepEqual([unhealthy.code, unhealthy.stderr], [1, ""]);
});

/** Has four secrets, one of them from the environment. */
function goodYaml(dir: TempDir, backendUrl = "http://127.0.0.1:1"): string {
  return `
${serverSection(dir)}
realtime: { enabled: true, idle_timeout: "90s" }
api_keys:
  api_keys: [{ id: one, key: ${SECRETS[0]} }]
backends:
  - name: demo
    url: "${backendUrl}"
    api_key: "\${VOICE_KEY}"
    models: [demo-voice]
    model_configs: [{ id: demo-voice, metadata: { capabilities: [audio] } }]
health_checks: { enabled: false }
admin: { auth: { method: bearer_token, token: ${SECRETS[1]} } }
metrics: { auth_token: ${SECRETS[3]} }
`;
}

async function runWith(
  dir: TempDir,
  options: {
    readonly action: string | null;
    readonly yaml: string;
    readonly env?: Readonly<Record<string, string>>;
  },
) {
  const path = await dir.write("config.yaml", options.yaml);
  const result = await runProgram({
    args: ["--config", path, ...options.action === null ? [] : [options.action]],
    permissions: [...routerPermissions(dir), "--allow-env=VOICE_KEY,NOT_SET"],
    env: options.env ?? {},
  });
  return { path, ...result };
}

function assertNoSecret(text: string): void {
  for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} in ${text}`);
}
